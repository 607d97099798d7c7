"""doctor proves each layer with a canary, and says what is dead and how to mend it."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from support.world import need_bubblewrap


@pytest.fixture
def project(repo):
    return repo.write("src/a.py", "a = 1\n").commit("start")


def states(project, code=0, env=None):
    found = project.passdown("doctor", "--json", env=env).check(code).json()["layers"]
    return {layer["layer"]: layer for layer in found}


def test_nothing_installed_is_off_and_nothing_is_left_behind(project):
    found = states(project)
    assert {layer["state"] for name, layer in found.items() if name != "sandbox"} == {"off"}
    assert all(layer["fix"] for name, layer in found.items() if name != "sandbox")
    assert not (project.root / ".git" / "passdown").exists()


def test_installed_layers_refuse_a_canary(project):
    project.passdown("init").check()
    found = states(project)
    assert [found[name]["state"] for name in ("Claude Code hook", "git pre-commit", "git pre-push")] == [
        "enforcing"
    ] * 3
    assert "a canary was refused in" in found["Claude Code hook"]["probe"]
    assert "a canary was refused in" in found["git pre-commit"]["probe"]
    assert project.git("status", "--porcelain", "--", "src") == ""


def test_a_policy_that_only_observes_is_advisory(project):
    project.write("passdown.toml", 'version = 1\n[guard]\nmode = "observe"\n').commit("policy")
    project.passdown("init").check()
    assert states(project)["Claude Code hook"]["state"] == "advisory"


def dead_command(project):
    path = project.root / ".claude" / "settings.local.json"
    path.write_text(path.read_text().replace("exec /bin/sh", "true"))


def disabled(project):
    path = project.root / ".claude" / "settings.json"
    path.write_text(json.dumps({"disableAllHooks": True}))


def not_executable(project):
    (project.root / ".git" / "hooks" / "pre-commit").chmod(0o644)


def loosened_line(project):
    path = project.root / ".git" / "hooks" / "pre-commit"
    path.write_text(path.read_text().replace("|| exit 1", "|| true"))


@pytest.mark.parametrize(
    ("break_it", "layer"),
    [
        (dead_command, "Claude Code hook"),
        (disabled, "Claude Code hook"),
        (not_executable, "git pre-commit"),
        (loosened_line, "git pre-commit"),
    ],
)
def test_what_is_installed_and_refuses_nothing_is_dead(project, break_it, layer):  # E4, E10
    project.passdown("init").check()
    break_it(project)
    found = states(project, code=1)[layer]
    assert found["state"] == "dead"
    assert found["fix"]


def test_codex_is_asked_whether_it_trusts(project, tmp_path):
    project.passdown("init").check()
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    hook = {"command": "x passdown/guard/hook.sh", "trustStatus": "untrusted"}
    reply = json.dumps({"id": 2, "result": {"data": [{"hooks": [hook]}]}})
    program.write_text(f"#!{sys.executable}\nimport sys\nprint('1' if '--version' in sys.argv else {reply!r})\n")
    program.chmod(0o755)
    env = {"PATH": f"{program.parent}:/usr/bin:/bin"}
    assert states(project, code=1, env=env)["Codex hook"]["state"] == "dead"
    program.write_text(program.read_text().replace("untrusted", "trusted"))
    assert states(project, env=env)["Codex hook"]["state"] == "enforcing"


def test_fix_puts_the_guards_files_right_again(project):
    project.passdown("init").check()
    guard = project.root / ".git" / "passdown" / "guard"
    (guard / "hook.sh").write_text("exit 0\n")
    (guard / "git-hook.sh").unlink()
    assert {name for name, layer in states(project, code=1).items() if layer["state"] == "dead"} == {"git pre-push"}
    project.passdown("doctor", "--fix").check()
    assert "passdown.cli.git_hook import" in (guard / "git-hook.sh").read_text()
    assert "answer import main" in (guard / "hook.sh").read_text()


def test_the_sandbox_is_tried_with_a_canary(project):
    need_bubblewrap()
    found = states(project)["sandbox"]
    assert (found["state"], found["fix"]) == ("enforcing", "")
    assert "a canary was refused in" in found["probe"]
    assert not (project.root / ".git" / "passdown").exists()


SAYS = {
    "no bubblewrap": (None, "off", "apt-get install bubblewrap"),
    "no namespaces": ("echo 'setting up uid map: Permission denied' >&2; exit 1", "dead", ""),
    "one that confines nothing": ('while [ "$1" != -- ]; do shift; done; shift; exec "$@"', "dead", ""),
}


@pytest.mark.parametrize("name", SAYS)
def test_a_sandbox_that_cannot_confine_is_said_with_its_remedy(project, tmp_path, name):
    script, state, fix = SAYS[name]
    there = tmp_path / "bin"
    there.mkdir()
    for program in ("git", "sh", "env", "true"):
        (there / program).symlink_to(shutil.which(program))
    if script is not None:
        (there / "bwrap").write_text(f"#!/bin/sh\n{script}\n")
        (there / "bwrap").chmod(0o755)
    found = states(project, code=1 if state == "dead" else 0, env={"PATH": str(there)})["sandbox"]
    assert found["state"] == state
    assert found["fix"]
    assert fix in found["fix"]


@pytest.mark.parametrize("columns", [60, 80])
def test_its_lines_fit_the_terminal(project, columns):
    project.passdown("init").check()
    said = project.passdown("doctor", env={"COLUMNS": str(columns)}).out
    assert max(map(len, said.splitlines())) <= columns
