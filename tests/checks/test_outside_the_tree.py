"""What no snapshot holds and still decides what a check means: a pass under it is seen, not verified.

Each row would be a false VERIFIED: the check itself, its code and its definition are untouched.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time

import pytest

from support.desk import Desk


def begin(repo, run, **files):
    repo.write("passdown.toml", f"[checks.tests]\nrun = {json.dumps(run)}\nkind = 'other'\n")
    repo.write(".gitignore", "node_modules/\n.venv/\nvendor/\nignored/\n").write("src/a.py", "x = 1\n")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("Begin")
    return Desk(repo)


HOME = {
    "rspec's options": ("true rspec", ".rspec", "--dry-run\n"),
    "rspec's options, XDG": ("true bundle exec rspec", ".config/rspec/options", "--tag none\n"),
    "go's flags": ("true go test ./...", ".config/go/env", "GOFLAGS=-run=^$\n"),
    "cargo's runner": ("true cargo test", ".cargo/config.toml", '[target.x]\nrunner = "true"\n'),
    "maven's settings": ("true mvn -q test", ".m2/settings.xml", "<skipTests>true</skipTests>"),
    "gradle's init script": ("true gradle test", ".gradle/init.d/a.gradle", "tasks.withType(Test) { enabled = false }"),
    "tox's own": ("true tox", ".config/tox/config.ini", "[tox]\nskip_missing_interpreters = true\n"),
    "ruff's own": ("true ruff check .", ".config/ruff/ruff.toml", "exclude = ['src']\n"),
    "mypy's own": ("true mypy .", ".config/mypy/config", "[mypy]\nignore_errors = True\n"),
    "npm's shell": ("true; npm test", ".npmrc", "script-shell=/bin/true\n"),
    "python's start-up": ("true python -m unittest", ".local/lib/python3.11/site-packages/usercustomize.py", "x\n"),
}


@pytest.mark.parametrize(("run", "path", "text"), HOME.values(), ids=HOME)
def test_settings_in_the_home(repo, scratch_home, run, path, text):
    desk = begin(repo, run, **({"package.json": '{"scripts": {"test": "true"}}'} if "npm" in run else {}))
    if "npm" not in run:
        assert desk.check().result == "PASSED"
        assert desk.stand().class_ == "VERIFIED", desk.stand().warnings
    target = scratch_home / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    desk.check()
    stands = desk.stand()
    assert stands.class_ == "OBSERVED"
    assert any(
        w.startswith("hidden-configuration: ") and w.endswith("is outside the repository") for w in stands.warnings
    )


HARMLESS = {
    "a registry": ("true; npm test", ".npmrc", "registry=https://r.example/\n"),
    "go's proxy": ("true go test ./...", ".config/go/env", "GOPROXY=off\nGOFLAGS=-mod=mod\n"),
    "cargo's net": ("true cargo test", ".cargo/config.toml", "[net]\ngit-fetch-with-cli = true\n"),
    "maven's mirror": ("true mvn -q test", ".m2/settings.xml", "<mirrors/>"),
    "gradle's memory": ("true gradle test", ".gradle/gradle.properties", "org.gradle.jvmargs=-Xmx2g\n"),
    "another tool's": ("true pytest", ".rspec", "--dry-run\n"),
    "an empty file": ("true rspec", ".rspec", "\n"),
}


@pytest.mark.parametrize(("run", "path", "text"), HARMLESS.values(), ids=HARMLESS)
def test_settings_in_the_home_that_sway_nothing(repo, scratch_home, run, path, text):
    desk = begin(repo, run)
    target = scratch_home / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    desk.check()
    assert not [w for w in desk.stand().warnings if w.startswith("hidden")]


@pytest.mark.parametrize(
    ("run", "path", "text"),
    [
        ("true dotnet test", "Directory.Build.props", "<Project/>"),
        ("true cargo test", ".cargo/config.toml", '[target.x]\nrunner = "true"\n'),
    ],
)
def test_settings_above_the_repository(repo, run, path, text):
    desk = begin(repo, run)
    target = repo.root.parent / path
    target.parent.mkdir(exist_ok=True)
    target.write_text(text)
    desk.check()
    target.unlink()
    assert desk.stand().class_ == "OBSERVED"


IGNORED = {
    "jest": ("true jest", "jest.config.js"),
    "vitest": ("true vitest run", "vitest.config.mts"),
    "mocha": ("true mocha", ".mocharc.json"),
    "babel under jest": ("true jest", "babel.config.cjs"),
    "eslint": ("true eslint .", "eslint.config.js"),
    "tsc": ("true tsc", "tsconfig.json"),
    "rspec": ("true rspec", ".rspec-local"),
    "phpunit": ("true phpunit", "phpunit.xml"),
    "cmake": ("true ctest", "CMakeUserPresets.json"),
    "golangci": ("true golangci-lint run", ".golangci.yml"),
    "ruff": ("true ruff check .", ".ruff.toml"),
    "maven": ("true mvn test", "pom.xml"),
    "gradle": ("true gradle test", "init.gradle"),
    "in a package's folder": ("true jest", "web/jest.config.js"),
    "yarn": ("true yarn test", ".yarnrc.yml"),
    "a part of pytest": ("true python -m pytest", "pluggy.py"),
    "a package of it": ("true pytest", "_pytest/__init__.py"),
    "a module of the library": ("true python -m unittest", "traceback.py"),
}


@pytest.mark.parametrize(("run", "path"), IGNORED.values(), ids=IGNORED)
def test_a_tools_settings_that_git_ignores(repo, run, path):
    desk = begin(repo, run, **{"web/package.json": "{}"})
    repo.append(".gitignore", f"{path}\n").commit("Ignore more")
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand().warnings
    repo.write(path, "x\n")
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    assert f"hidden-configuration: {path} is ignored by git" in desk.stand().warnings


# installed tools


def installed(repo, folder=".venv", **files):
    """A virtual environment whose tool was installed as pip does it: RECORD says what each file holds."""
    site = repo.path(f"{folder}/lib/python3.11/site-packages")
    texts = {
        "../../../bin/pytest": "#!/bin/sh\nexit 0\n",
        "_pytest/main.py": "x = 1\n",
        "pytest/__init__.py": "y = 1\n",
        **files,
    }
    rows = []
    for name, text in texts.items():
        path = (site / name).resolve() if ".." in name else site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        rows.append(f"{name},sha256={digest},{len(text)}")
    info = site / "pytest-9.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "RECORD").write_text("\n".join([*rows, "pytest-9.0.dist-info/RECORD,,"]))
    repo.path(f"{folder}/bin/pytest").chmod(0o755)
    repo.write(f"{folder}/pyvenv.cfg", "version = 3.11.7\n")
    return site


PYTHON = {
    "the script": "../../../bin/pytest",
    "a module of the tool": "_pytest/main.py",
    "the package": "pytest/__init__.py",
}


@pytest.mark.parametrize("name", PYTHON.values(), ids=PYTHON)
@pytest.mark.parametrize("run", [".venv/bin/pytest -q", "true pytest -q"])
def test_an_edited_tool_in_the_virtual_environment(repo, name, run):
    """The names and versions are the same, and it says that all passed."""
    desk = begin(repo, run)
    site = installed(repo)
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand().warnings
    with (site / name).open("a") as file:
        file.write("# quicker\n")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    assert any(w.startswith("replaced: .venv/") for w in desk.stand().warnings)


def test_an_edited_plugin_of_pytest(repo):
    desk = begin(repo, "true pytest -q")
    site = installed(repo)
    info = site / "pytest_nice-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[pytest11]\nnice = nice\n")
    (info / "RECORD").write_text(f"nice.py,sha256={'A' * 43},3\n")
    (site / "nice.py").write_text("x = 2\n")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"


def test_a_package_that_takes_no_part(repo):
    desk = begin(repo, ".venv/bin/ruff check .")
    site = installed(repo)
    (site / "requests-1.0.dist-info").mkdir()
    (site / "requests-1.0.dist-info/RECORD").write_text(f"requests.py,sha256={'A' * 43},3\n")
    (site / "requests.py").write_text("x\n")
    repo.write(".venv/bin/ruff", "#!/bin/sh\n", mode=0o755)
    desk.check()
    assert desk.stand().class_ == "VERIFIED"


def node_modules(repo):
    for name in ("jest.js", "run.js", "a.js", "b.js", "c.js"):
        repo.write(f"node_modules/jest/bin/{name}", "1\n")
    repo.write("node_modules/@jest/core/index.js", "1\n")
    for name in ("jest", "tsc", "eslint"):
        repo.link(f"node_modules/.bin/{name}", f"../{name}/bin/{name}.js")
    repo.write("node_modules/.package-lock.json", "{}")
    long_ago = time.time()
    os.utime(repo.path("node_modules/.package-lock.json"), (long_ago, long_ago))


def replace_link(repo):
    repo.delete("node_modules/.bin/jest").write("node_modules/.bin/jest", "#!/bin/sh\nexit 0\n", mode=0o755)


NODE = {
    "a file of the tool": lambda repo: repo.write("node_modules/jest/bin/run.js", "process.exit(0)\n"),
    "a file of its parts": lambda repo: repo.write("node_modules/@jest/core/index.js", "0\n"),
    "its link": replace_link,
}


@pytest.mark.parametrize("act", NODE.values(), ids=NODE)
def test_an_edited_tool_in_node_modules(repo, act):
    desk = begin(repo, "true; npm test", **{"package.json": '{"scripts": {"test": "true jest"}}'})
    node_modules(repo)
    desk.check()
    assert not [w for w in desk.stand().warnings if w.startswith("replaced")]
    time.sleep(2.1)
    act(repo)
    desk.check()
    assert any(w.startswith("replaced: node_modules/") for w in desk.stand().warnings), desk.stand().warnings


def test_a_copied_folder_tells_nothing_by_its_times(repo):
    desk = begin(repo, "true; npm test", **{"package.json": '{"scripts": {"test": "true jest"}}'})
    node_modules(repo)
    time.sleep(2.1)
    for path in repo.path("node_modules/jest").rglob("*.js"):
        path.write_text("1\n")
    desk.check()
    assert not [w for w in desk.stand().warnings if w.startswith("replaced")]


def test_composers_tools_are_installed_not_hidden(repo):
    desk = begin(repo, "vendor/bin/phpunit", **{"phpunit.xml": "<phpunit/>"})
    repo.write("vendor/composer/installed.json", "{}").write("vendor/bin/phpunit", "#!/bin/sh\n", mode=0o755)
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand().warnings
    repo.write("vendor/composer/installed.json", '{"packages": []}')
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"
