"""The guard in the real clients: an outside edit is denied however it is asked for, and what is inside goes through."""

from __future__ import annotations

import os

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.guard import hook_files
from support.clients import Claude
from support.guarded import Guarded, boundary
from support.model import Call, Model, Say
from support.process import PASSDOWN
from support.story import RIGHT, WRONG, half_done, play

pytestmark = pytest.mark.agents


@pytest.fixture
def guarded(project):
    repo = project
    repo.write("src/a.py", "a = 1\n")
    repo.write("README.md", "hello\n")
    repo.commit("start")
    return Guarded(repo, boundary(["src/**"], ["src/gen/**"]), branch=repo.git("branch", "--show-current").strip())


def options(agent, guarded):
    program = hook_files.program(guarded.home)
    if isinstance(agent, Claude):
        return claude_hooks.one_run(program)
    return [*codex_hooks.one_run(program), "--dangerously-bypass-hook-trust"]


def test_an_outside_edit_is_denied_and_the_agent_is_told_where_to_go_on(agent, guarded):
    calls = agent.calls()
    script = [
        [calls.write("src/b.py", "b = 2")],
        [calls.write("evil.txt", "x")],
        [calls.write("src/gen/x.py", "x")],
        [calls.shell("echo x > README.md")],
        [Say("Done.")],
    ]
    with Model(script) as model:
        agent.run(model, "go", *options(agent, guarded)).check()
    root = guarded.repo.root
    assert (root / "src" / "b.py").exists()
    assert not (root / "evil.txt").exists()
    assert not (root / "src" / "gen").exists()
    assert (root / "README.md").read_text() == "hello\n"
    said = str(model.requests[-1])
    assert "evil.txt is outside what this run may write" in said
    assert "N1: src/gen/**: said so" in said
    kept = [fact.data.get("where") for fact in guarded.facts() if fact.kind == "touch"]
    assert kept.count("outside-blocked") + kept.count("asked") == 3


def test_what_a_shell_slips_past_is_told_after_the_call(agent, guarded):
    calls = agent.calls()
    slips = "python3 -c \"open('README.md','w').write('changed')\""
    with Model([[calls.shell("true")], [calls.shell(slips)], [calls.shell("false")], [Say("Done.")]]) as model:
        agent.run(model, "go", *options(agent, guarded)).check()
    assert (guarded.repo.root / "README.md").read_text() == "changed"
    said = [str(request) for request in model.requests]
    told = "changed outside what this run may write: modified README.md"
    assert told not in said[1]
    assert told in said[2]
    assert [fact.data["path"] for fact in guarded.facts() if fact.data.get("where") == "outside-landed"] == [
        "README.md"
    ]


OPTIONS = {
    "claude": "-p --permission-mode acceptEdits",
    "codex": "exec --json --dangerously-bypass-hook-trust",
}


def test_resume_starts_the_client_with_the_brief_and_guards_this_run_alone(agent, project):
    calls = agent.calls()
    play(agent, half_done(calls))
    project.passdown("pack", "--no-check").check()
    before = project.git("status", "--porcelain")
    name = "claude" if isinstance(agent, Claude) else "codex"
    script = [[calls.edit("prices.py", WRONG, RIGHT)], [calls.write("docs/guide.md", "x")], [Say("Done.")]]
    with Model(script) as model:
        argv = [PASSDOWN, "resume", "--with", f"{agent.program} {OPTIONS[name]}"]
        said = agent.through(model, argv).check()
    assert "Guarded: " in said.out
    assert (project.root / "prices.py").read_text().endswith(RIGHT)
    assert (project.root / "docs" / "guide.md").read_text() == "# Guide\n"
    first = str(model.requests[0])
    assert "F1 test_prices.py::test_all_off" in first
    assert "docs/guide.md is outside what this run may write" in str(model.requests[-1])
    assert project.git("status", "--porcelain") == before, "nothing is installed in the worktree"
    assert project.passdown("verify", "--json").check(3).json()["violations"] == []
    packet = project.passdown("pack", "--no-check", "--json").check().json()
    assert [(each["layer"], each["state"], each["denied"]) for each in packet["guards"]] == [("hook", "enforcing", 1)]


def test_the_hooks_that_init_installed_hold_a_subagent_too_and_leave_nothing(claude, project):
    calls = claude.calls()
    before = project.git("status", "--porcelain", "--ignored")
    project.passdown("start", "mend prices", "--allow", "prices.py").check()
    project.passdown("init").check()
    sent = {"description": "write", "prompt": "write it", "subagent_type": "general-purpose"}
    script = [
        [calls.write("evil.txt", "x")],
        [Call("Agent", {**sent, "run_in_background": False})],
        [calls.write("worse.txt", "x")],  # the subagent's
        [Say("Could not.")],
        [Say("Done.")],
    ]
    with Model(script) as model:
        claude.run(model, "go").check()
    assert not (project.root / "evil.txt").exists()
    assert not (project.root / "worse.txt").exists()
    said = str(model.requests)
    assert "evil.txt is outside what this run may write" in said
    assert "worse.txt is outside what this run may write" in said
    project.passdown("init", "--undo").check()
    assert project.git("status", "--porcelain", "--ignored") == before


def test_codex_runs_no_hook_that_nobody_trusted_and_doctor_says_so(codex, project):
    calls = codex.calls()
    project.passdown("start", "mend prices", "--allow", "prices.py").check()
    project.passdown("init").check()
    said = project.passdown("doctor", "--json", env={"PATH": f"{codex.program.parent}:{os.environ['PATH']}"}).json()
    (layer,) = [each for each in said["layers"] if each["layer"] == "Codex hook"]
    assert (layer["state"], layer["fix"]) == ("dead", "in Codex: /hooks, trust those of Passdown")
    with Model([[calls.write("evil.txt", "x")], [Say("Done.")]]) as model:
        codex.run(model, "go").check()
    found = project.passdown("verify", "--json").check(1).json()["violations"]
    assert "evil.txt" in [each["path"] for each in found]
