"""Variables that would change what a check means: taken out, or part of where it ran."""

from __future__ import annotations

import contextlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from passdown.checks.environment import SWAYING, environment
from passdown.checks.variables import SCRUBBED, variables
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import find_place
from support.desk import Desk

GONE = {
    **dict.fromkeys(sorted(SCRUBBED), "x"),
    "npm_config_script_shell": "/bin/true",
    "NPM_CONFIG_SCRIPT_SHELL": "/bin/true",
    "npm_config_ignore_scripts": "true",
    "npm_config_node_options": "--require=./x.js",
    "BASH_FUNC_pytest%%": "() { true; }",
    "BASH_FUNC_grep%%": "() { true; }",
    "GIT_DIR": "/nowhere",
    "GIT_OBJECT_DIRECTORY": "/nowhere",
    "PASSDOWN_CI_KEY": "secret",
}
KEPT = (
    "HOME",
    "PATH",
    "CI",
    "npm_config_cache",
    "npm_config_user_agent",
    "DATABASE_URL",
    "GIT_AUTHOR_NAME",
    "NODE_ENV",
)


@pytest.mark.parametrize("name", GONE)
def test_what_sways_is_taken_out(repo, name):
    place = find_place(repo.root)
    check = CheckDefinition(name="tests", run="true")
    assert name not in variables(place, check, {name: GONE[name]})
    named = variables(place, CheckDefinition(name="tests", run="true", env=[name]), {name: GONE[name]})
    assert (name in named) == (name != "PASSDOWN_CI_KEY"), "the policy may ask for any but CI's key"


@pytest.mark.parametrize("name", KEPT)
def test_what_a_check_needs_stays(repo, name):
    assert variables(find_place(repo.root), CheckDefinition(name="tests", run="true"), {name: "x"})[name] == "x"


@pytest.mark.parametrize("name", ["GOENV", "SPEC_OPTS", "GTEST_FILTER", "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"])
def test_a_run_under_it_is_another_environments(repo, monkeypatch, name):
    """An agent's run with it does not count in a person's shell without it."""
    repo.write("passdown.toml", '[checks.tests]\nrun = "true"\n').commit("Begin")
    desk = Desk(repo)
    with monkeypatch.context() as agents:
        agents.setenv(name, "/nowhere")
        desk.check()
    assert (desk.stand().class_, desk.stand().freshness.state) == ("OBSERVED", "ENVIRONMENT-CHANGED")
    assert f"value of {name}: not there now" in desk.stand().freshness.because


def test_each_of_them_is_part_of_where_it_ran(repo):
    repo.write("a").commit("Begin")
    desk = Desk(repo)
    check = CheckDefinition(name="tests", run="true")
    without = environment(desk.view, check, env={}, salt=b"s").parts.keys()
    for name in SWAYING:
        parts = environment(desk.view, check, env={name: "x"}, salt=b"s").parts
        assert parts.keys() - without == {f"value of {name}"}
        assert "x" not in parts[f"value of {name}"].split()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHELLOPTS", "noexec"),
        ("BASH_FUNC_grep%%", "() { true; }"),
        ("CDPATH", "{beside}"),
        ("npm_config_script_shell", "/bin/true"),
        ("MAKEFLAGS", "-n"),
        ("BASH_ENV", "{beside}/env"),
        ("ENV", "{beside}/env"),
        ("PYTEST_ADDOPTS", "--co"),
    ],
)
@pytest.mark.parametrize(
    "run", ["cd src && grep -q good state.txt", ["bash", "-c", "cd src && grep -q good state.txt"]]
)
def test_a_failing_check_fails_all_the_same(repo, monkeypatch, name, value, run):
    beside = repo.root.parent / "beside"
    (beside / "src").mkdir(parents=True)
    (beside / "src/state.txt").write_text("good\n")
    (beside / "env").write_text("grep() { true; }\n")
    repo.write("passdown.toml", f"[checks.tests]\nrun = {json.dumps(run)}\n").write("src/state.txt", "bad\n").commit()
    monkeypatch.setenv(name, value.replace("{beside}", str(beside)))
    assert Desk(repo).check().result == "FAILED"


def test_checks_that_run_at_once_do_not_meet_in_the_cache(repo):
    """One empties what another is filling."""
    place = find_place(repo.commit().root)
    own = place.home / "pycache" / repo.root.relative_to("/") / "src"

    def fill(number):
        for count in range(40):
            with contextlib.suppress(FileNotFoundError, FileExistsError):  # emptied meanwhile
                own.mkdir(parents=True, exist_ok=True)
                (own / f"{number}-{count}.pyc").write_bytes(b"x")

    def empty(_):
        for _ in range(40):
            variables(place, CheckDefinition(name="a", run="true"), {})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda work: work[0](work[1]), [(fill, 1), (fill, 2), (empty, 3), (empty, 4)]))
    variables(place, CheckDefinition(name="a", run="true"), {})
    assert not own.exists()
