"""What a command leads to: change it, and the definition is another one; change anything else, and it is not."""

from __future__ import annotations

import json

import pytest

from passdown.checks.definition import changed_parts, define
from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take


def package(**scripts):
    return json.dumps({"name": "x", "scripts": scripts})


WORKSPACE = {
    "package.json": json.dumps({"workspaces": ["web", "api"], "scripts": {"test": "npm run test --workspaces"}}),
    "web/package.json": json.dumps({"name": "web", "scripts": {"test": "jest", "build": "tsc"}}),
    "api/package.json": json.dumps({"name": "api", "scripts": {"test": "mocha"}}),
}
WEB_CHANGED = json.dumps({"name": "web", "scripts": {"test": "true", "build": "tsc"}})

# command, files, the file that is changed, its new text
LEADS_TO = {
    "npm script": ("npm test", {"package.json": package(test="jest")}, "package.json", package(test="true")),
    "npm pre script": (
        "npm test",
        {"package.json": package(test="jest")},
        "package.json",
        package(test="jest", pretest="rm -rf tests"),
    ),
    "npm post script": (
        "npm test",
        {"package.json": package(test="jest")},
        "package.json",
        package(test="jest", posttest="true"),
    ),
    "a script of a script": (
        "npm test",
        {"package.json": package(test="npm run unit", unit="jest")},
        "package.json",
        package(test="npm run unit", unit="true"),
    ),
    "scripts by a pattern": (
        "npm test",
        {"package.json": package(test="run-s test:*", **{"test:a": "jest"})},
        "package.json",
        package(test="run-s test:*", **{"test:a": "true"}),
    ),
    "npm --prefix": ("npm --prefix web test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "npm -C": ("npm -C web run test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "npm -w": ("npm test -w web", WORKSPACE, "web/package.json", WEB_CHANGED),
    "npm --workspace=": ("npm test --workspace=web", WORKSPACE, "web/package.json", WEB_CHANGED),
    "npm --workspaces by a script": ("npm test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "pnpm --filter": ("pnpm --filter web test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "pnpm -r": ("pnpm -r test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "pnpm --dir": ("pnpm --dir web test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "yarn workspace": ("yarn workspace web test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "yarn workspaces foreach": ("yarn workspaces foreach -A run test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "yarn --cwd": ("yarn --cwd web test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "turbo": ("npx turbo run test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "nx": ("npx nx run-many -t test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "lerna": ("npx lerna run test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "cd": ("cd web && npm test", WORKSPACE, "web/package.json", WEB_CHANGED),
    "turbo.json": ("npx turbo run test", {"turbo.json": "{}"}, "turbo.json", '{"tasks": {}}'),
    ".npmrc of a folder": ("cd web && npm test", {"web/.npmrc": ""}, "web/.npmrc", "script-shell=true\n"),
    "yarn's own release": ("yarn test", {".yarn/releases/yarn-4.cjs": "1"}, ".yarn/releases/yarn-4.cjs", "2"),
    "yarn's plugin": ("yarn test", {".yarn/plugins/a.cjs": "1"}, ".yarn/plugins/a.cjs", "2"),
    "plug and play": ("yarn test", {".pnp.cjs": "1"}, ".pnp.cjs", "2"),
    "a set-up file of jest": (
        "npx jest",
        {"jest.config.js": "module.exports = {setupFiles: ['<rootDir>/test/first.js']}", "test/first.js": "1"},
        "test/first.js",
        "process.exit(0)",
    ),
    "what the set-up file imports": (
        "npx jest",
        {
            "jest.config.js": "module.exports = {setupFilesAfterEnv: ['./test/first.ts']}",
            "test/first.ts": "import './second'\n",
            "test/second.ts": "1",
        },
        "test/second.ts",
        "2",
    ),
    "a set-up file of vitest": (
        "npx vitest run",
        {"vitest.config.ts": "export default {test: {setupFiles: './t/setup-all.ts'}}", "t/setup-all.ts": "1"},
        "t/setup-all.ts",
        "2",
    ),
    "a reporter of jest": (
        "npx jest",
        {"jest.config.json": '{"reporters": ["./tools/report.js"]}', "tools/report.js": "1"},
        "tools/report.js",
        "2",
    ),
    "required by mocha": (
        "npx mocha",
        {".mocharc.json": '{"require": ["./hooks.js"]}', "hooks.js": "1"},
        "hooks.js",
        "2",
    ),
    "imported by a config": (
        "npx jest",
        {"jest.config.ts": "import base from './config/base'\n", "config/base.ts": "1"},
        "config/base.ts",
        "2",
    ),
    "bootstrap of phpunit": (
        "vendor/bin/phpunit",
        {"phpunit.xml": '<phpunit bootstrap="tests/bootstrap.php"/>', "tests/bootstrap.php": "1"},
        "tests/bootstrap.php",
        "exit(0);",
    ),
    "composer's script": (
        "composer test",
        {"composer.json": '{"scripts": {"test": "phpunit"}}'},
        "composer.json",
        '{"scripts": {"test": "true"}}',
    ),
    "a script of composer's script": (
        "composer test",
        {"composer.json": '{"scripts": {"test": ["@unit"], "unit": "phpunit"}}'},
        "composer.json",
        '{"scripts": {"test": ["@unit"], "unit": "true"}}',
    ),
    "a file of composer's script": (
        "composer test",
        {"composer.json": '{"scripts": {"test": "sh bin/t.sh"}}', "bin/t.sh": "1"},
        "bin/t.sh",
        "2",
    ),
    "make": ("make test", {"Makefile": "test:\n\tpytest\n"}, "Makefile", "test:\n\ttrue\n"),
    "make's include": ("make test", {"Makefile": "include a.mk\n", "a.mk": "1"}, "a.mk", "2"),
    "include of an include": (
        "make test",
        {"Makefile": "include a.mk\n", "a.mk": "-include b/*.mk\n", "b/c.mk": "1"},
        "b/c.mk",
        "2",
    ),
    "make's wildcard": ("make test", {"Makefile": "include $(wildcard b/*.mk) c.mk\n", "b/c.mk": "1"}, "b/d.mk", "2"),
    "python -m": ("python -m tools.check", {"tools/check.py": "1"}, "tools/check.py", "2"),
    "python -m of a package": (
        "cd sub && python3 -m tools",
        {"sub/tools/__main__.py": "1"},
        "sub/tools/__main__.py",
        "2",
    ),
    "make -C": ("make -C sub test", {"sub/Makefile": "1"}, "sub/Makefile", "2"),
    "make --directory": ("make --directory=sub test", {"sub/Makefile": "1"}, "sub/Makefile", "2"),
    "make -f": ("make -f build/rules.mk test", {"build/rules.mk": "1"}, "build/rules.mk", "2"),
    "make calls make": (
        "make test",
        {"Makefile": "test:\n\t$(MAKE) -C lib test\n", "lib/Makefile": "1"},
        "lib/Makefile",
        "2",
    ),
    "a script of make": ("make test", {"Makefile": "test:\n\t./ci/t.sh\n", "ci/t.sh": "1"}, "ci/t.sh", "2"),
    "just": ("just test", {"justfile": "test:\n  pytest\n"}, "justfile", "test:\n  true\n"),
    "just's import": ("just test", {"justfile": "import 'ci/t.just'\n", "ci/t.just": "1"}, "ci/t.just", "2"),
    "just's optional import": ("just test", {"justfile": 'import? "t.just"\n', "t.just": "1"}, "t.just", "2"),
    "just's module": ("just ci::test", {"justfile": "mod ci\n", "ci/mod.just": "1"}, "ci/mod.just", "2"),
    "just's module file": ("just ci::test", {"justfile": "mod ci\n", "ci.just": "1"}, "ci.just", "2"),
    "just's .env": ("just test", {"justfile": "set dotenv-load\n", ".env": "A=1"}, ".env", "A=2"),
    "just in a folder": ("cd web && just test", {"justfile": "test:\n  pytest\n"}, "justfile", "test:\n  true\n"),
    "just --justfile": ("just --justfile ci/j test", {"ci/j": "1"}, "ci/j", "2"),
    "task": ("task test", {"Taskfile.yml": "includes:\n  a: ./a.yml\n", "a.yml": "1"}, "a.yml", "2"),
    "tox": ("tox -e py", {"tox.ini": "[testenv]\ncommands=pytest\n"}, "tox.ini", "[testenv]\ncommands=true\n"),
    "a script of tox": ("tox", {"tox.ini": "[testenv]\ncommands=sh ci/t.sh\n", "ci/t.sh": "1"}, "ci/t.sh", "2"),
    "tox's table": (
        "tox",
        {"pyproject.toml": "[tool.tox]\nenv_list=['py']\n"},
        "pyproject.toml",
        "[tool.tox]\nenv_list=[]\n",
    ),
    "nox": ("nox -s tests", {"noxfile.py": "1"}, "noxfile.py", "2"),
    "nox that runs a script": ("nox", {"noxfile.py": "s.run('ci/t.sh')\n", "ci/t.sh": "1"}, "ci/t.sh", "2"),
    "conftest": ("pytest", {"tests/conftest.py": "1"}, "tests/conftest.py", "2"),
    "a plugin of conftest": (
        "pytest",
        {"conftest.py": 'pytest_plugins = ["tests.plugin"]\n', "tests/plugin.py": "1"},
        "tests/plugin.py",
        "2",
    ),
    "a plugin by -p": ("pytest -p myplug", {"myplug.py": "1"}, "myplug.py", "2"),
    "a plugin by addopts": (
        "pytest",
        {"pytest.ini": "[pytest]\naddopts = -q -p tests.late\n", "tests/late.py": "1"},
        "tests/late.py",
        "2",
    ),
    "a plugin by entry point": (
        "pytest",
        {
            "pyproject.toml": '[project.entry-points.pytest11]\nx = "pkg.plugin"\n',
            "src/pkg/plugin.py": "1",
        },
        "src/pkg/plugin.py",
        "2",
    ),
    "pytest -c": ("pytest -c ci/unit.ini", {"ci/unit.ini": "1"}, "ci/unit.ini", "2"),
    "sitecustomize": ("python -m unittest", {"sitecustomize.py": "1"}, "sitecustomize.py", "2"),
    "mypy --config-file": ("mypy --config-file=ci/types.ini .", {"ci/types.ini": "1"}, "ci/types.ini", "2"),
    "eslint -c": ("npx eslint -c ci/rules.json .", {"ci/rules.json": "1"}, "ci/rules.json", "2"),
    "tsc -p": ("npx tsc -p tsconfig.ci.json", {"tsconfig.ci.json": "{}"}, "tsconfig.ci.json", '{"a": 1}'),
    "what tsconfig extends": (
        "npx tsc",
        {"tsconfig.json": '{"extends": "./config/strict.json"}', "config/strict.json": "{}"},
        "config/strict.json",
        '{"a": 1}',
    ),
    "gradle": ("./gradlew test", {"build.gradle": "1", "gradlew": ""}, "build.gradle", "2"),
    "gradle of a module": ("./gradlew test", {"app/build.gradle.kts": "1"}, "app/build.gradle.kts", "2"),
    "gradle's wrapper": (
        "./gradlew test",
        {"gradle/wrapper/gradle-wrapper.jar": "1"},
        "gradle/wrapper/gradle-wrapper.jar",
        "2",
    ),
    "gradle's catalogue": ("gradle test", {"gradle/libs.versions.toml": "1"}, "gradle/libs.versions.toml", "2"),
    "maven": ("mvn -q test", {"pom.xml": "1"}, "pom.xml", "2"),
    "maven's options": ("mvn test", {".mvn/maven.config": "-DskipTests=false"}, ".mvn/maven.config", "-DskipTests"),
    "dotnet": ("dotnet test", {"t/T.csproj": "1"}, "t/T.csproj", "2"),
    "msbuild": ("dotnet test", {"Directory.Build.props": "1"}, "Directory.Build.props", "2"),
    "rspec": ("bundle exec rspec", {".rspec": ""}, ".rspec", "--dry-run\n"),
    "rspec's own": ("rspec", {".rspec-local": ""}, ".rspec-local", "--dry-run\n"),
    "spec_helper": ("rspec", {"spec/spec_helper.rb": "1"}, "spec/spec_helper.rb", "2"),
    "rake": ("rake test", {"Rakefile": "1"}, "Rakefile", "2"),
    "a rake file": ("rake test", {"Rakefile": "", "lib/tasks/t.rake": "1"}, "lib/tasks/t.rake", "2"),
    "cmake": ("ctest --test-dir build", {"CMakeLists.txt": "1"}, "CMakeLists.txt", "2"),
    "cmake's presets": ("ctest --preset dev", {"CMakePresets.json": "{}"}, "CMakePresets.json", '{"a": 1}'),
    "the person's presets": (
        "ctest --preset dev",
        {"CMakeUserPresets.json": "{}"},
        "CMakeUserPresets.json",
        '{"a": 1}',
    ),
    "a cmake module": ("ctest", {"cmake/t.cmake": "1"}, "cmake/t.cmake", "2"),
    "cargo": ("cargo test", {".cargo/config.toml": ""}, ".cargo/config.toml", '[target.x]\nrunner = "true"\n'),
    "go.work": ("go test ./...", {"go.work": "1"}, "go.work", "2"),
    "a script that is fed": ("bash < ci/t.sh", {"ci/t.sh": "1"}, "ci/t.sh", "2"),
    "a script through a pipe": ("cat ci/t.sh | sh", {"ci/t.sh": "1"}, "ci/t.sh", "2"),
    "words of a file": ("pytest $(cat ci/options)", {"ci/options": "-q"}, "ci/options", "--co"),
    "a file of options": ("pytest @ci/options", {"ci/options": "-q"}, "ci/options", "--co"),
    "a script behind options": ("python -W error ci/t.py", {"ci/t.py": "1"}, "ci/t.py", "2"),
    "a script behind a reporter": ("node --test-reporter tap ci/t.js", {"ci/t.js": "1"}, "ci/t.js", "2"),
    "mise": ("mise run test", {"mise.toml": "[tasks.test]\nrun='pytest'"}, "mise.toml", "[tasks.test]\nrun='true'"),
    "a task file of mise": ("mise run test", {"mise-tasks/test": "pytest"}, "mise-tasks/test", "true"),
    "poe": (
        "poe test",
        {"pyproject.toml": "[tool.poe.tasks]\ntest='pytest'\n"},
        "pyproject.toml",
        "[tool.poe.tasks]\ntest='true'\n",
    ),
    "invoke": ("inv test", {"tasks.py": "1"}, "tasks.py", "2"),
    "pdm": (
        "pdm run test",
        {"pyproject.toml": "[tool.pdm.scripts]\ntest='pytest'\n"},
        "pyproject.toml",
        "[tool.pdm.scripts]\ntest='true'\n",
    ),
    "pixi": ("pixi run test", {"pixi.toml": "1"}, "pixi.toml", "2"),
    "a program of poetry's": (
        "poetry run check",
        {"pyproject.toml": "[tool.poetry.scripts]\ncheck='dev.run:all'\n", "dev/run.py": "1"},
        "dev/run.py",
        "2",
    ),
    "a program of the project": (
        "uv run check",
        {"pyproject.toml": "[project.scripts]\ncheck='pkg:main'\n", "src/pkg/__init__.py": "1"},
        "src/pkg/__init__.py",
        "2",
    ),
    "compose": ("docker compose run test", {"compose.yaml": "1"}, "compose.yaml", "2"),
    "the image": ("docker build .", {"Dockerfile": "1"}, "Dockerfile", "2"),
    "bazel": ("bazel test //...", {".bazelrc": "1"}, ".bazelrc", "test --test_filter=none"),
    "a target of bazel": ("bazel test //...", {"lib/BUILD.bazel": "1"}, "lib/BUILD.bazel", "2"),
    "sbt": ("sbt test", {"build.sbt": "1"}, "build.sbt", "2"),
    "ant": ("ant test", {"build.xml": "1"}, "build.xml", "2"),
    "mix": ("mix test", {"test/test_helper.exs": "1"}, "test/test_helper.exs", "2"),
    "zig": ("zig build test", {"build.zig": "1"}, "build.zig", "2"),
    "swift": ("swift test", {"Package.swift": "1"}, "Package.swift", "2"),
    "dart": ("dart test", {"dart_test.yaml": "1"}, "dart_test.yaml", "2"),
    "prove": ("prove -r t", {".proverc": "1"}, ".proverc", "--dry"),
    "gradle's own sources": ("gradle test", {"buildSrc/src/A.java": "1"}, "buildSrc/src/A.java", "2"),
    "npm's life cycle": (
        "npm ci && npm test",
        {"package.json": package(test="jest")},
        "package.json",
        package(test="jest", postinstall="sh patch.sh"),
    ),
    "a new file that configures": ("pytest", {"a.py": ""}, "pytest.ini", "[pytest]\naddopts=--co\n"),
    "a new conftest below": ("pytest", {"a.py": ""}, "tests/unit/conftest.py", "1"),
    "a module in place of the tool": ("python -m pytest", {"a.py": ""}, "pytest.py", "1"),
    "a module in place of a part of it": ("python -m pytest", {"a.py": ""}, "pluggy.py", "1"),
    "a package in place of a part of it": ("pytest", {"a.py": ""}, "_pytest/__init__.py", "1"),
    "a module in place of the library's": ("python -m unittest", {"a.py": ""}, "traceback.py", "1"),
}


def defined(repo, run):
    place = find_place(repo.root)
    return define(TreeView(place, take(place).tree), CheckDefinition(name="tests", run=run))


@pytest.mark.parametrize(("run", "files", "path", "text"), LEADS_TO.values(), ids=LEADS_TO)
def test_what_the_command_leads_to_is_its_definition(repo, run, files, path, text):
    for name, content in files.items():
        repo.write(name, content)
    before = defined(repo, run)
    repo.write(path, text)
    after = defined(repo, run)
    assert before.digest != after.digest
    assert any(path in part for part in changed_parts(before, after)), changed_parts(before, after)


LEADS_NOT_TO = {
    "tests that python -m runs": ("python -m tests.test_a", {"tests/test_a.py": "1"}, "tests/test_a.py", "2"),
    "what a script imports": ("python tools/a.py", {"tools/a.py": "import b", "tools/b.py": "1"}, "tools/b.py", "2"),
    "a file that it only compares": ("cmp a.txt b.txt", {"a.txt": "1"}, "a.txt", "2"),
    "where it writes": ("pytest > log.txt", {"log.txt": "1"}, "log.txt", "2"),
    "a dependency of pdm": (
        "pdm run pytest",
        {"pyproject.toml": "[tool.pdm.dev-dependencies]\ntest=['a']\n"},
        "pyproject.toml",
        "[tool.pdm.dev-dependencies]\ntest=['a', 'b']\n",
    ),
    "a program of the project that is not run": (
        "uv run pytest",
        {"pyproject.toml": "[project.scripts]\ncheck='pkg:main'\n", "src/pkg/__init__.py": "1"},
        "src/pkg/__init__.py",
        "2",
    ),
    "compose, where nothing runs in a container": ("make test", {"compose.yaml": "1"}, "compose.yaml", "2"),
    "what installing runs, where nothing is installed": (
        "npm test",
        {"package.json": package(test="jest")},
        "package.json",
        package(test="jest", postinstall="sh patch.sh"),
    ),
    "the code": ("pytest", {"src/a.py": "1"}, "src/a.py", "2"),
    "a module of that name deeper": ("pytest", {"src/types.py": "1"}, "src/types.py", "2"),
    "a test": ("pytest", {"tests/test_a.py": "1"}, "tests/test_a.py", "2"),
    "a test named in the command": ("pytest -q tests/test_a.py", {"tests/test_a.py": "1"}, "tests/test_a.py", "2"),
    "another script": ("npm test", {"package.json": package(test="jest")}, "package.json", package(test="jest", x="y")),
    "a dependency": (
        "npm test",
        {"package.json": package(test="jest")},
        "package.json",
        json.dumps({"name": "x", "scripts": {"test": "jest"}, "dependencies": {"a": "1"}}),
    ),
    "another package's script": (
        "npm --prefix api test",
        WORKSPACE,
        "web/package.json",
        WEB_CHANGED,
    ),
    "another composer script": (
        "composer test",
        {"composer.json": '{"scripts": {"test": "phpunit"}}'},
        "composer.json",
        '{"scripts": {"test": "phpunit", "fix": "x"}, "require": {}}',
    ),
    "another table": (
        "pytest",
        {"pyproject.toml": "[project]\nversion='1'\n"},
        "pyproject.toml",
        "[project]\nversion='2'\n",
    ),
    "the code that a config only measures": (
        "npx jest",
        {"jest.config.js": "module.exports = {collectCoverageFrom: ['src/a.js']}", "src/a.js": "1"},
        "src/a.js",
        "2",
    ),
    "the settings of a tool that is not run": ("ruff check .", {"conftest.py": "1"}, "conftest.py", "2"),
    "a makefile in another folder": (
        "make test",
        {"Makefile": "test:\n\ttrue\n", "docs/Makefile": "1"},
        "docs/Makefile",
        "2",
    ),
    "docs": ("make test", {"Makefile": "test:\n\ttrue\n", "docs/a.md": "1"}, "docs/a.md", "2"),
}


@pytest.mark.parametrize(("run", "files", "path", "text"), LEADS_NOT_TO.values(), ids=LEADS_NOT_TO)
def test_what_is_no_part_of_the_definition(repo, run, files, path, text):
    for name, content in files.items():
        repo.write(name, content)
    before = defined(repo, run)
    repo.write(path, text)
    assert changed_parts(before, defined(repo, run)) == []


def test_a_circle_ends(repo):
    repo.write("Makefile", "include a.mk\n").write("a.mk", "include Makefile\ntest:\n\t$(MAKE) -C . test\n")
    repo.write("package.json", package(test="npm run unit", unit="npm test"))
    repo.write("composer.json", '{"scripts": {"test": ["@test"]}}')
    assert {"Makefile", "a.mk"} <= defined(repo, "make test && npm test && composer test").parts.keys()


@pytest.mark.parametrize(
    "where", ["cd /", "cd /opt/elsewhere", "cd ../..", "cd ~", "cd /../..", "cd a/../..", "pushd //"]
)
@pytest.mark.parametrize(
    "program", ["just test", "task x", "poetry run t", "make", "npm test", "sh t.sh", "tox", "x", "pytest @options"]
)
def test_a_command_in_a_folder_outside_is_defined_all_the_same(repo, where, program):
    repo.write("justfile", "test:\n    true\n").write("package.json", package(test="jest")).commit()
    place = find_place(repo.root)
    view = TreeView(place, take(place).tree)
    assert define(view, CheckDefinition(name="c", run=f"{where} && {program}")).digest
