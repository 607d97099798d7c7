"""What a check uses without naming it: what is behind make, a shim or a folder, and what stands beside the repository.

Each row begins with a pass that is VERIFIED. Then something is changed that no snapshot holds; the row says what is
named, and whether a new run under it may be VERIFIED again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path

import pytest

from passdown.checks.environment import environment
from support.desk import Desk


def tool(path: Path, text="#!/bin/sh\nexit 0\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def venv(prefix: Path, *packages):
    tool(prefix / "bin/python3.11")
    (prefix / "pyvenv.cfg").write_text("version = 3.11.7\n")
    site = prefix / "lib/python3.11/site-packages"
    for name in packages:
        (site / f"{name}.dist-info").mkdir(parents=True)
    return site


def upgrade(site: Path):
    (site / "a-1.dist-info").rename(site / "a-2.dist-info")


@pytest.fixture
def side(tmp_path, monkeypatch):
    """A folder of tools, first on PATH."""
    folder = tmp_path / "side"
    monkeypatch.setenv("PATH", f"{folder}/shims:{folder}/bin:{os.environ['PATH']}")
    return folder


def begin(repo, run, more="", **files):
    repo.write("passdown.toml", f"[checks.tests]\nrun = {json.dumps(run)}\nkind = 'other'\n{more}")
    repo.write(".gitignore", "node_modules/\n.venv/\n.tox/\nignored/\nbuild/\ndist/\n.env\n*.egg-info/\nhid*.py\n")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("Begin")
    return Desk(repo)


def pyenv(side: Path):
    tool(side / "shims/pytest", "#!/usr/bin/env bash\n# exec /pyenv exec\nexit 0\n")
    (side / "version").write_text("3.11\n")
    for version in ("3.11.2", "3.11.9", "3.12.1"):
        home = side / "versions" / version
        tool(home / "bin/python3")
        tool(home / "bin/pytest", f"#!{home}/bin/python3\n")
        (home / "lib/python3.11/site-packages/a-1.dist-info").mkdir(parents=True)


def asdf(side: Path):
    tool(side / "shims/node", '#!/usr/bin/env bash\n# asdf-plugin: nodejs 18.1.0\n: asdf exec "node"\n')
    for version in ("18.1.0", "20.0.0"):
        tool(side / f"installs/nodejs/{version}/bin/node", f"#!/bin/sh\n# {version}\n")


def behind_make(repo, side):
    tool(side / "bin/mypy", f"#!{side}/v/bin/python3.11\n")
    site = venv(side / "v", "a-1")
    return begin(repo, "make check", Makefile="check:\n\t@mypy .\n"), lambda: upgrade(site), f"packages of {side}/v"


def behind_a_package_script(repo, side):
    tool(side / "bin/npm")
    tool(side / "bin/mocha")
    desk = begin(repo, "npm test", **{"package.json": '{"scripts": {"test": "mocha"}}'})
    return desk, lambda: tool(side / "bin/mocha", "#!/bin/sh\n# other\nexit 0\n"), "program mocha"


def packages_of_a_folder(repo, side):
    tool(side / "bin/npx")
    desk = begin(repo, "cd web && npx jest", **{"web/package.json": "{}"})
    repo.write("web/node_modules/.package-lock.json", "{}")
    return desk, lambda: repo.write("web/node_modules/.package-lock.json", "[]"), "packages of web/node_modules"


def environment_of_a_folder(repo, _):
    desk = begin(repo, "cd api && .venv/bin/mypy", **{"api/a.py": ""})
    site = venv(repo.path("api/.venv"), "a-1")
    tool(repo.path("api/.venv/bin/mypy"))
    return desk, lambda: upgrade(site), "packages of ./api/.venv"


def environment_of_tox(repo, side):
    tool(side / "bin/tox")
    desk = begin(repo, "tox -q", **{"tox.ini": "[tox]\n"})
    site = venv(repo.path(".tox/py311"), "a-1")
    return desk, lambda: upgrade(site), "packages of ./.tox/py311"


def pyenv_switched(repo, side):
    pyenv(side)
    return begin(repo, "pytest --version"), lambda: (side / "version").write_text("3.12\n"), "interpreter of pytest"


def pyenv_switched_above(repo, side):
    pyenv(side)
    above = repo.root.parent / ".python-version"
    return begin(repo, "pytest --version"), lambda: above.write_text("3.12.1\n"), "interpreter of pytest"


def pyenv_package(repo, side):
    pyenv(side)
    site = side / "versions/3.11.9/lib/python3.11/site-packages"
    return begin(repo, "pytest --version"), lambda: upgrade(site), f"packages of {side}/versions/3.11.9"


def asdf_switched(repo, side):
    asdf(side)
    above = repo.root.parent / ".tool-versions"
    above.write_text("nodejs 18.1.0\n")
    return begin(repo, "node -v"), lambda: above.write_text("nodejs 20.0.0\n"), "interpreter of node"


def loaded_by_a_variable(repo, side):
    first = side / "first.js"
    first.parent.mkdir()
    first.write_text("1")
    os.environ["NODE_OPTIONS"] = f"--require {first}"
    return begin(repo, "test -f passdown.toml"), lambda: first.write_text("process.exit(0)"), f"file {first}"


def on_pythons_path(repo, side):
    side.mkdir()
    os.environ["PYTHONPATH"] = str(side)
    desk = begin(repo, "test -f passdown.toml")
    return desk, lambda: (side / "sitecustomize.py").write_text("x"), f"packages of {side}"


def a_module_on_pythons_path(repo, side):
    tool(side / "own/lib.py", "x = 1")
    os.environ["PYTHONPATH"] = str(side / "own")
    desk = begin(repo, "test -f passdown.toml")
    return desk, lambda: tool(side / "own/lib.py", "x = 2"), f"modules of {side}/own"


def own_tool_of_a_script(repo, side):
    tool(side / "bin/mytool")
    desk = begin(repo, "sh t.sh", **{"t.sh": "TOOL=mytool\nif ! $TOOL; then exit 1; fi\n"})
    return desk, lambda: tool(side / "bin/mytool", "#!/bin/sh\n# new\n"), "program mytool"


def stand_in_for_a_scripts_tool(repo, side):
    desk = begin(repo, "sh t.sh", **{"t.sh": "grep -q checks passdown.toml\n"})
    return desk, lambda: tool(side / "bin/grep"), "program grep"


def another_version_of_a_package(repo, _):
    desk = begin(repo, "test -f passdown.toml", **{"package.json": '{"devDependencies": {"x": "1"}}'})
    repo.write("node_modules/x/package.json", '{"version": "1.0.0"}')
    return desk, lambda: repo.write("node_modules/x/package.json", '{"version": "2.0.0"}'), "packages of node_modules"


def node_modules_of_another_folder(repo, side):
    desk = begin(repo, "test -f passdown.toml")
    repo.write("node_modules/.package-lock.json", "{}")

    def act():
        repo.path("node_modules").rename(side.parent / "two")
        repo.path("node_modules").symlink_to(side.parent / "two")

    return desk, act, "packages of node_modules"


def sorted_otherwise(repo, _):
    return begin(repo, "test -f passdown.toml"), lambda: os.environ.update(LC_COLLATE="C"), "value of LC_COLLATE"


def read_by_the_makefile(repo, _):
    desk = begin(repo, "make check", Makefile="TOOL ?= true\ncheck:\n\t@$(TOOL)\n")
    return desk, lambda: os.environ.update(TOOL="false"), "value of TOOL"


def read_by_a_script(repo, _):
    desk = begin(repo, "sh t.sh", **{"t.sh": 'test -z "$SKIP_IT" || exit 0\n'})
    return desk, lambda: os.environ.update(SKIP_IT="1"), "value of SKIP_IT"


def read_by_a_conftest(repo, side):
    tool(side / "bin/pytest")
    desk = begin(repo, "pytest --version", **{"conftest.py": "import os\nFAST = os.environ.get('FAST_ONLY')\n"})
    return desk, lambda: os.environ.update(FAST_ONLY="1"), "value of FAST_ONLY"


AFTERWARDS = [
    read_by_the_makefile, read_by_a_script, read_by_a_conftest,
    behind_make, behind_a_package_script, packages_of_a_folder, environment_of_a_folder, environment_of_tox,
    pyenv_switched, pyenv_switched_above, pyenv_package, asdf_switched, loaded_by_a_variable, on_pythons_path,
    sorted_otherwise, a_module_on_pythons_path, own_tool_of_a_script, stand_in_for_a_scripts_tool,
    another_version_of_a_package, node_modules_of_another_folder,
]  # fmt: skip


@pytest.mark.parametrize("situation", AFTERWARDS)
def test_another_environment_than_the_one_it_passed_in(repo, side, monkeypatch, situation):
    for name in ("NODE_OPTIONS", "PYTHONPATH", "LC_COLLATE", "TOOL", "SKIP_IT", "FAST_ONLY"):
        monkeypatch.setenv(name, "")  # put back in the end, whatever the row sets
        monkeypatch.delenv(name)
    desk, act, named = situation(repo, side)
    assert desk.check().result == "PASSED"
    assert desk.stand().class_ == "VERIFIED", desk.stand()
    act()
    stands = desk.stand()
    assert (stands.class_, stands.freshness.state) == ("OBSERVED", "ENVIRONMENT-CHANGED")
    assert any(line.startswith(named) for line in stands.freshness.because), stands.freshness


OUTSIDE = {
    "an included makefile": (
        "make test",
        {"Makefile": "-include ../common.mk\ntest:\n\t@true\n"},
        "common.mk",
        "X = 1\n",
    ),
    "settings that settings extend": (
        "true; tsc",
        {"tsconfig.json": '{"extends": "../base.json"}'},
        "base.json",
        '{"exclude": ["src"]}',
    ),
    "go's workspace": ("true; go vet", {"go.mod": "module x\n"}, "go.work", "use ./x\n"),
    "a conftest under a project of its own": ("true; pytest", {"a.py": ""}, "conftest.py", "import os\nos._exit(0)\n"),
    "pytest's own file": ("true; pytest", {"a.py": ""}, "pytest.toml", "[pytest]\n"),
    "maven's parent": ("true; mvn test", {"pom.xml": ""}, "pom.xml", "<skipTests>true</skipTests>"),
}


@pytest.mark.parametrize("row", OUTSIDE.values(), ids=OUTSIDE)
def test_what_stands_above_the_repository(repo, side, row):
    run, files, path, text = row
    for name in ("tsc", "go", "pytest", "mvn"):
        tool(side / "bin" / name)
    desk = begin(repo, run.replace("true; ", ""), **files)
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand()
    above = repo.root.parent
    (above / "setup.py").write_text("")
    (above / path).write_text(text)
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"
    desk.check()
    stands = desk.stand()
    assert (stands.class_, stands.freshness.state) == ("OBSERVED", "FRESH")
    assert f"hidden-configuration: {above / path} is outside the repository" in stands.warnings


HIDDEN = {
    "a script outside": ("sh ../t.sh", {}, "../t.sh", "true\n"),
    "a file of variables": ("uv run --env-file .env ruff", {}, ".env", "PYTEST_ADDOPTS=--co\n"),
    "what jest loads first": (
        "jest",
        {"jest.config.js": "module.exports = {setupFiles: ['./ignored/first.js']}"},
        "ignored/first.js",
        "process.exit(0)",
    ),
    "tests that were built before": ("node --test dist/", {}, "dist/a.test.js", ""),
    "C tests that were built before": (
        "ctest --test-dir build",
        {"CMakeLists.txt": ""},
        "build/CTestTestfile.cmake",
        "",
    ),
    "a plugin that the root's metadata names": (
        "pytest --version",
        {},
        "hidden.egg-info/entry_points.txt",
        "[pytest11]\nx = hidden\n",
    ),
    "an absolute path of the worktree": ("sh {root}/ignored/t.sh", {}, "ignored/t.sh", "true\n"),
}


@pytest.mark.parametrize("row", HIDDEN.values(), ids=HIDDEN)
def test_what_it_runs_and_no_tree_holds(repo, side, row):
    run, files, path, text = row
    for name in ("uv", "jest", "node", "ctest", "pytest"):
        tool(side / "bin" / name)
    desk = begin(repo, run.format(root=repo.root), **files)
    target = repo.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    assert desk.check().result == "PASSED"
    assert desk.stand().class_ == "OBSERVED"
    assert any(w.startswith("hidden-configuration: ") for w in desk.stand().warnings)


def test_a_listed_file_is_an_input_and_nothing_hidden(repo, side):
    tool(side / "bin/uv")
    desk = begin(repo, "uv run --env-file .env ruff", 'inputs_ignored = [".env"]\n')
    repo.write(".env", "A=1\n")
    desk.check()
    assert desk.stand().class_ == "VERIFIED", desk.stand()
    repo.write(".env", "A=2\n")
    assert desk.stand().freshness.state == "STALE"


def makes_its_environment(repo, side):
    site = ".tox/py/lib/python3.11/site-packages/a-1.dist-info"
    tool(side / "bin/tox", f"#!/bin/sh\nmkdir -p {site} && touch .tox/py/pyvenv.cfg\n")
    return begin(repo, "tox", **{"tox.ini": ""}), lambda: None


def installs_first(repo, side):
    tool(side / "bin/npm", "#!/bin/sh\nmkdir -p node_modules && echo '{}' > node_modules/.package-lock.json\n")
    return begin(repo, "npm ci && npm test", **{"package.json": '{"scripts": {"test": "true"}}'}), lambda: None


def another_shells_folder(repo, side):
    """fnm and others put a link on PATH that each shell has for itself."""
    tool(side / "real/node")
    for name in ("one", "two"):
        (side / name).symlink_to(side / "real")
    os.environ["PATH"] = f"{side}/one:{os.environ['PATH']}"
    desk = begin(repo, "node -v")
    return desk, lambda: os.environ.update(PATH=f"{side}/two:{os.environ['PATH']}")


def builds_first(repo, side):
    tool(side / "bin/tsc", "#!/bin/sh\nmkdir -p dist && echo 1 > dist/a.test.js\n")
    tool(side / "bin/node")
    return begin(repo, "tsc && node --test dist/"), lambda: None


def settings_that_a_framework_makes(repo, side):
    tool(side / "bin/tsc")
    desk = begin(repo, "tsc", **{"tsconfig.json": '{"extends": "./ignored/tsconfig.json"}'})
    repo.write("ignored/tsconfig.json", "{}")
    return desk, lambda: repo.write("ignored/tsconfig.json", "{}")


def another_terminal(repo, _):
    desk = begin(repo, "test -f passdown.toml")
    return desk, lambda: os.environ.update(LC_TERMINAL="other", TERM="xterm", COLUMNS="33", SSH_TTY="/dev/pts/9")


def certificates_added(repo, _):
    desk = begin(repo, ".venv/bin/pytest --version")
    site = venv(repo.path(".venv"), "certifi-1")
    tool(repo.path(".venv/bin/pytest"))
    (site / "certifi-1.dist-info/RECORD").write_text(f"cacert.pem,sha256={'A' * 43},1\n")
    (site / "cacert.pem").write_text("more")
    return desk, lambda: None


def own_plugin_installed_for_work(repo, side):
    tool(side / "bin/pytest")
    table = '[project.entry-points.pytest11]\nx = "own"\n'
    desk = begin(repo, "pytest --version", **{"pyproject.toml": table, "own.py": ""})
    repo.write("own.egg-info/entry_points.txt", "[pytest11]\nx = own\n")
    return desk, lambda: None


def own_tool_that_no_script_runs(repo, side):
    tool(side / "bin/mytool")
    desk = begin(repo, "sh t.sh", **{"t.sh": "# mytool is not needed here\ntrue\n"})
    return desk, lambda: tool(side / "bin/mytool", "#!/bin/sh\n# new\n")


def a_package_installed_that_nobody_asked_for(repo, _):
    desk = begin(repo, "test -f passdown.toml", **{"package.json": '{"dependencies": {"x": "1"}}'})
    repo.write("node_modules/x/package.json", '{"version": "1.0.0"}')
    return desk, lambda: repo.write("node_modules/.cache/a", "1").write("node_modules/x/README.md", "1")


HEALTHY = [
    own_tool_that_no_script_runs, a_package_installed_that_nobody_asked_for,
    makes_its_environment, installs_first, another_shells_folder, builds_first, settings_that_a_framework_makes,
    own_plugin_installed_for_work, another_terminal, certificates_added,
]  # fmt: skip


@pytest.mark.parametrize("situation", HEALTHY)
def test_everyday_work_stays_verified(repo, side, monkeypatch, situation):
    for name in ("PATH", "LC_TERMINAL", "TERM", "COLUMNS", "SSH_TTY"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    desk, act = situation(repo, side)
    assert desk.check().result == "PASSED"
    act()
    assert desk.stand().class_ == "VERIFIED", desk.stand()


def edited(site, text="y"):
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"x").digest()).decode().rstrip("=")
    (site / "a.py").write_text("x")
    (site / "a-1.dist-info/RECORD").write_text(f"a.py,sha256={digest},1\n")
    (site / "a.py").write_text(text)


@pytest.mark.parametrize(("text", "class_"), [("y", "OBSERVED"), ("x", "VERIFIED")], ids=["edited", "written again"])
def test_a_dependency_that_is_not_what_was_installed(repo, text, class_):
    desk = begin(repo, ".venv/bin/pytest --version")
    site = venv(repo.path(".venv"), "a-1")
    tool(repo.path(".venv/bin/pytest"))
    edited(site, text)
    desk.check()
    stands = desk.stand()
    assert stands.class_ == class_
    said = "replaced: .venv/lib/python3.11/site-packages/a.py is not what was installed"
    assert (said in stands.warnings) == (class_ == "OBSERVED")


@pytest.mark.parametrize(("inputs", "class_"), [("srcc/**", "OBSERVED"), ("src/**", "VERIFIED")])
def test_inputs_that_match_no_file(repo, inputs, class_):
    """A misspelt folder never changes."""
    desk = begin(repo, "test -f passdown.toml", f'inputs = ["{inputs}"]\n', **{"src/a.py": "x = 1\n"})
    desk.check()
    stands = desk.stand()
    assert stands.class_ == class_
    assert ("no-inputs: no file matches its inputs: srcc/**" in stands.warnings) == (class_ == "OBSERVED")


def test_words_that_are_no_paths(repo):
    """A script may hold anything: long words, a zero byte, a link to itself."""
    scripts = {"test": "a\0b && node " + "x" * 5000 + "/y.js && sh " + "z" * 400 + ".sh"}
    repo.link("loop", "loop")
    desk = begin(repo, "npm test", **{"package.json": json.dumps({"scripts": scripts}), "Makefile": "include loop\n"})
    assert desk.find("tests").accepted
    assert environment(desk.view, desk.find("tests").definition, env={"NODE_OPTIONS": f"--require {repo.root}/loop/x"})
