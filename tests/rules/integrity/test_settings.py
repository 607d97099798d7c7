"""Configuration of tests, linters, type checkers and coverage: what lets more pass is found, what is stricter not."""

from __future__ import annotations

import pytest

from passdown.checks.integrity.config import settings
from passdown.rules.integrity.settings import loosened, loosened_lines

PYPROJECT = "pyproject.toml"
LOOSENED = [
    ("coverage", PYPROJECT, "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 50\n", "threshold"),
    ("coverage gone", ".coveragerc", "[report]\nfail_under = 90\n", "[report]\n", "threshold"),
    ("omitted", ".coveragerc", "[run]\nomit = a.py\n", "[run]\nomit = a.py, b.py\n", "ignores"),
    ("ruff ignore", PYPROJECT, "[tool.ruff.lint]\nignore = ['E501']\n", "[tool.ruff.lint]\nignore = ['E501', 'F821']\n", "ignores"),
    ("ruff select", "ruff.toml", "[lint]\nselect = ['E', 'F']\n", "[lint]\nselect = ['E']\n", "narrowed"),
    ("ruff per file", PYPROJECT, "[tool.ruff.lint]\n", "[tool.ruff.lint.per-file-ignores]\n'src/a.py' = ['F']\n", "ignores"),
    ("complexity", PYPROJECT, "[tool.ruff.lint.mccabe]\nmax-complexity = 8\n", "[tool.ruff.lint.mccabe]\nmax-complexity = 40\n", "limit"),
    ("flake8", ".flake8", "[flake8]\nignore = E501\n", "[flake8]\nignore = E501,F401\n", "ignores"),
    ("mypy strict", PYPROJECT, "[tool.mypy]\nstrict = true\n", "[tool.mypy]\nstrict = false\n", "strictness"),
    ("mypy strict gone", "mypy.ini", "[mypy]\nstrict = True\n", "[mypy]\n", "strictness"),
    ("mypy override", PYPROJECT, "[tool.mypy]\nstrict = true\n",
     "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = 'app'\nignore_errors = true\n", "strictness"),
    ("mypy exclude", PYPROJECT, "[tool.mypy]\nexclude = []\n", "[tool.mypy]\nexclude = ['app']\n", "ignores"),
    ("testpaths", PYPROJECT, "[tool.pytest.ini_options]\ntestpaths = ['tests', 'more']\n",
     "[tool.pytest.ini_options]\ntestpaths = ['tests']\n", "narrowed"),
    ("deselect", PYPROJECT, "[tool.pytest.ini_options]\naddopts = '-q'\n",
     "[tool.pytest.ini_options]\naddopts = '-q --deselect tests/a.py::test_b'\n", "options"),
    ("keyword", "pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q -k 'not slow'\n", "options"),
    ("strict markers gone", "pytest.ini", "[pytest]\naddopts = -q --strict-markers\n", "[pytest]\naddopts = -q\n", "options"),
    ("reruns", "pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q --reruns 3\n", "options"),
    ("xfail_strict", PYPROJECT, "[tool.pytest.ini_options]\nxfail_strict = true\n", "[tool.pytest.ini_options]\n", "strictness"),
    ("warnings", PYPROJECT, "[tool.pytest.ini_options]\nfilterwarnings = ['error']\n",
     "[tool.pytest.ini_options]\nfilterwarnings = ['error', 'ignore::UserWarning']\n", "warnings"),
    ("tox swallows", "tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = pytest || true\n", "options"),
    ("jest threshold", "package.json", '{"jest": {"coverageThreshold": {"global": {"lines": 90}}}}',
     '{"jest": {"coverageThreshold": {"global": {"lines": 10}}}}', "threshold"),
    ("jest ignore", "package.json", '{"jest": {"testPathIgnorePatterns": []}}', '{"jest": {"testPathIgnorePatterns": ["api"]}}', "ignores"),
    ("npm test swallows", "package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "jest || true"}}', "options"),
    ("no tests pass", "package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "jest --passWithNoTests"}}', "options"),
    ("tsconfig", "tsconfig.json", '{"compilerOptions": {"strict": true, /* x */ }}', '{"compilerOptions": {"strict": false}}', "strictness"),
    ("tsconfig any", "tsconfig.json", '{"compilerOptions": {"noImplicitAny": true}}', '{"compilerOptions": {}}', "strictness"),
    ("eslint rule", ".eslintrc.json", '{"rules": {"no-undef": "error"}}', '{"rules": {"no-undef": "off"}}', "rule"),
    ("eslint rule off anew", ".eslintrc.json", '{"rules": {}}', '{"rules": {"no-undef": 0}}', "rule"),
    ("pyright", "pyrightconfig.json", '{"reportMissingImports": "error"}', '{"reportMissingImports": "none"}', "rule"),
    ("pyright mode", "pyrightconfig.json", '{"typeCheckingMode": "strict"}', '{"typeCheckingMode": "basic"}', "rule"),
    ("tox minds no failure", "tox.ini", "[testenv]\ncommands =\n    pytest\n", "[testenv]\ncommands =\n    - pytest\n", "options"),
    ("tox minds no outcome", "tox.ini", "[testenv]\n", "[testenv]\nignore_outcome = true\n", "strictness"),
    ("npm test narrowed", "package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "jest -t adds"}}', "options"),
    ("no tests of cargo", "Cargo.toml", "[package]\nname = 'a'\n", "[package]\nname = 'a'\nautotests = false\n", "strictness"),
    ("jest threshold in a program", "jest.config.ts", "export default { coverageThreshold: { global: { lines: 95 } } };",
     "export default { coverageThreshold: { global: { lines: 50 } } };", "threshold"),
    ("eslint rule in a program", "eslint.config.mjs", "export default [{ rules: { eqeqeq: 'error', 'no-var': 'error' } }];",
     "export default [{ rules: { eqeqeq: 'off', 'no-var': 'error' } }];", "rule"),
    ("pixels", "playwright.config.ts", "export default { expect: { toHaveScreenshot: { maxDiffPixels: 0 } } };",
     "export default { expect: { toHaveScreenshot: { maxDiffPixels: 900 } } };", "limit"),
    ("vitest exclude", "vitest.config.ts", "export default defineConfig({ test: { exclude: [] } });",
     "export default defineConfig({ test: { exclude: ['slow/**'] } });", "ignores"),
    ("codecov", "codecov.yml", "coverage:\n  status:\n    project:\n      default:\n        target: 90%\n",
     "coverage:\n  status:\n    project:\n      default:\n        target: 40%\n", "threshold"),
    ("golangci", ".golangci.yml", "linters:\n  enable:\n    - errcheck\n    - govet\n", "linters:\n  enable:\n    - errcheck\n", "narrowed"),
    ("rubocop", ".rubocop.yml", "Metrics/MethodLength:\n  Max: 10\n", "Metrics/MethodLength:\n  Max: 90\n", "limit"),
    ("rubocop cop off", ".rubocop.yml", "A/B:\n  Max: 1\n", "A/B:\n  Max: 1\nC/D:\n  Enabled: false\n", "strictness"),
    ("detekt", "detekt.yml", "style:\n  A:\n    active: true\n", "style:\n  A:\n    active: false\n", "strictness"),
    ("phpstan", "phpstan.neon", "parameters:\n    level: 8\n", "parameters:\n    level: 2\n", "threshold"),
    ("phpunit", "phpunit.xml", "<phpunit><testsuite><directory>tests</directory></testsuite></phpunit>",
     "<phpunit><testsuite><directory>tests</directory><exclude>tests/Slow</exclude></testsuite></phpunit>", "ignores"),
    ("jacoco", "pom.xml", "<project><plugin><artifactId>jacoco-maven-plugin</artifactId><minimum>0.80</minimum></plugin></project>",
     "<project><plugin><artifactId>jacoco-maven-plugin</artifactId><minimum>0.10</minimum></plugin></project>", "threshold"),
    (".net warnings", "Directory.Build.props", "<Project><TreatWarningsAsErrors>true</TreatWarningsAsErrors></Project>",
     "<Project><TreatWarningsAsErrors>false</TreatWarningsAsErrors></Project>", "strictness"),
    ("editorconfig", ".editorconfig", "root = true\n[*.cs]\ndotnet_diagnostic.CA1.severity = error\n",
     "root = true\n[*.cs]\ndotnet_diagnostic.CA1.severity = none\n", "rule"),
    ("clang-tidy", ".clang-tidy", "Checks: 'bugprone-*'\nWarningsAsErrors: '*'\n", "Checks: 'bugprone-*'\n", "strictness"),
    ("shellcheck", ".shellcheckrc", "enable=all\n", "enable=all\ndisable=SC2086\n", "ignores"),
    ("clippy", "Cargo.toml", "[lints.clippy]\nunwrap_used = 'deny'\n", "[lints.clippy]\nunwrap_used = 'allow'\n", "rule"),
]  # fmt: skip
FINE = [
    ("higher", PYPROJECT, "[tool.coverage.report]\nfail_under = 50\n", "[tool.coverage.report]\nfail_under = 90\n"),
    ("fewer ignores", PYPROJECT, "[tool.ruff.lint]\nignore = ['E501', 'F']\n", "[tool.ruff.lint]\nignore = ['E501']\n"),
    ("more selected", "ruff.toml", "[lint]\nselect = ['E']\n", "[lint]\nselect = ['E', 'F']\n"),
    ("strict now", PYPROJECT, "[tool.mypy]\n", "[tool.mypy]\nstrict = true\n"),
    ("order", PYPROJECT, "[tool.ruff.lint]\nignore = ['A', 'B']\n", "[tool.ruff.lint]\nignore = ['B', 'A']\n"),
    ("a dependency", PYPROJECT, "[project]\ndependencies = ['a']\n", "[project]\ndependencies = ['a', 'b']\n"),
    ("a version", "package.json", '{"version": "1", "scripts": {"test": "jest"}}', '{"version": "2", "scripts": {"test": "jest"}}'),
    ("verbose", PYPROJECT, "[tool.pytest.ini_options]\naddopts = '-q'\n", "[tool.pytest.ini_options]\naddopts = '-q -ra'\n"),
    ("another script", "package.json", '{"scripts": {"start": "a"}}', '{"scripts": {"start": "b || true"}}'),
    ("a marker", PYPROJECT, "[tool.pytest.ini_options]\nmarkers = ['a']\n", "[tool.pytest.ini_options]\nmarkers = ['a', 'b']\n"),
    ("eslint stricter", ".eslintrc.json", '{"rules": {"no-undef": "warn"}}', '{"rules": {"no-undef": ["error", {}]}}'),
    ("python -m", "tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = python -m pytest\n"),
    ("a layout of YAML", "codecov.yml", "coverage:\n  status:\n    project:\n      target: 90%\n",
     "coverage:\n    # as ever\n    status:\n        project:\n            target: 90.0%\n"),
    ("what a bundler leaves out", "vite.config.ts", "export default { optimizeDeps: {} };",
     "export default { optimizeDeps: { exclude: ['a'] } };"),
    ("what a jar leaves out", "pom.xml", "<project><plugin><artifactId>maven-jar-plugin</artifactId></plugin></project>",
     "<project><plugin><artifactId>maven-jar-plugin</artifactId><exclude>a</exclude></plugin></project>"),
    ("what a package leaves out", "a.csproj", "<Project></Project>",
     "<Project><PackageReference Include='a' ExcludeAssets='runtime' /></Project>"),
    ("a job's matrix", ".github/workflows/ci.yml", "on: push\njobs:\n  a:\n    timeout-minutes: 5\n",
     "on:\n  push:\n    paths-ignore: ['docs/**']\njobs:\n  a:\n    timeout-minutes: 9\n"),
    ("a stricter program", "jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 50 } } };",
     "module.exports = { coverageThreshold: { global: { lines: 90, branches: 80 } } };"),
    ("a plugin before others", "pom.xml", "<project><plugin><artifactId>jacoco</artifactId></plugin></project>",
     "<project><plugin><artifactId>a</artifactId></plugin><!-- <minimum>0</minimum> --><plugin><artifactId>jacoco</artifactId></plugin>"),
    ("line length of a formatter", PYPROJECT, "[tool.black]\ntarget-version = ['py39']\n", "[tool.black]\ntarget-version = ['py311']\n"),
]  # fmt: skip


def rules(path, before, after):
    old, new = settings(path, before.encode()), settings(path, after.encode())
    assert old is not None
    assert new is not None
    return [f.rule for f in loosened(path, old, new)]


@pytest.mark.parametrize(
    ("path", "before", "after", "rule"), [one[1:] for one in LOOSENED], ids=[one[0] for one in LOOSENED]
)
def test_what_lets_more_pass_is_found(path, before, after, rule):
    assert rules(path, before, after) == [rule]


@pytest.mark.parametrize(("path", "before", "after"), [one[1:] for one in FINE], ids=[one[0] for one in FINE])
def test_what_is_as_strict_or_stricter_is_not(path, before, after):
    assert rules(path, before, after) == []


LINES = [
    (".github/workflows/ci.yml", "    continue-on-error: true"),
    (".github/workflows/ci.yml", "      - run: pytest || true"),
    (".gitlab-ci.yml", "  allow_failure: true"),
    ("Makefile", "\tpytest || true"),
    ("pom.xml", "<testFailureIgnore>true</testFailureIgnore>"),
    ("vitest.config.ts", "    passWithNoTests: true,"),
    ("eslint.config.js", "  { rules: { 'no-undef': 'off' } },"),
    ("tests/conftest.py", "def pytest_collection_modifyitems(items):"),
    ("conftest.py", "collect_ignore = ['test_a.py']"),
    ("noxfile.py", "    session.run('pytest', success_codes=[0, 1])"),
    (".pre-commit-config.yaml", "    stages: [manual]"),
    (".rspec", "--tag ~slow"),
    ("build.gradle", "    useJUnitPlatform { excludeTags 'slow' }"),
    ("CMakeLists.txt", "set_tests_properties(b PROPERTIES DISABLED TRUE)"),
    (".eslintignore", "src/legacy"),
]


@pytest.mark.parametrize(("path", "line"), LINES)
def test_a_line_that_lets_more_pass_is_found_where_no_parser_reads(path, line):
    assert [f.now for f in loosened_lines(path, "a\n", f"a\n{line}\n")] == [" ".join(line.split())]
    assert not list(loosened_lines(path, f"a\n{line}\n", f"{line}\na\n"))
    assert not [f for f in loosened_lines(path, f"a\n{line}\n", "a\n") if f.rule != "gone"]


WORKFLOW = "jobs:\n  a:\n    steps:\n      - run: mypy src\n      - run: pytest -q\n"
GONE = [
    ("a step", WORKFLOW, WORKFLOW.replace("      - run: mypy src\n", ""), "mypy"),
    ("a step commented", WORKFLOW, WORKFLOW.replace("      - run: mypy", "#      - run: mypy"), "mypy"),
    ("another tool", WORKFLOW, WORKFLOW.replace("mypy", "pyright"), ""),
    ("behind make", WORKFLOW, WORKFLOW.replace("pytest -q", "make test"), ""),
    ("another way to it", WORKFLOW, WORKFLOW.replace("pytest -q", "uv run pytest"), ""),
    ("a bump", WORKFLOW + "      - uses: a@v1\n", WORKFLOW + "      - uses: a@v2\n", ""),
    ("the whole file", WORKFLOW, "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "tool"), [g[1:] for g in GONE], ids=[g[0] for g in GONE])
def test_a_tool_that_ci_runs_no_more_is_told(before, after, tool):
    assert ", ".join(f.test for f in loosened_lines(".github/workflows/ci.yml", before, after)) == tool


def test_a_failure_that_make_does_not_mind_is_told():
    was, now = "test:\n\tpytest\nclean:\n\trm a\n", "test:\n\t-pytest\nclean:\n\trm a\n"
    assert [f.now for f in loosened_lines("Makefile", was, now)] == ["-pytest"]
    assert not list(loosened_lines("Makefile", was, f"{was}\t-rm b\n"))


@pytest.mark.parametrize(
    "path",
    ["pyproject.toml", "setup.cfg", "package.json", "tsconfig.json", "tox.ini", "a.yml", "pom.xml", "a.config.js"],
)
@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"[", b"{" * 5000, b"[a]\nb\n c\n"])
def test_any_text_can_be_read(path, text):
    settings(path, text)
