"""Read-back and notes in the real clients: no write before it, no permission prompt, also where .git is read-only."""

from __future__ import annotations

import re

import pytest

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.guard import hook_files
from support.clients import Claude
from support.model import Model, Say
from support.story import RIGHT, WRONG, half_done, play

pytestmark = pytest.mark.agents


@pytest.fixture
def handed(agent, project):
    """A packet handed over to the agent, whose policy requires the read-back; the line that the brief ends with."""
    project.git("switch", "-q", "main")
    project.write("passdown.toml", 'readback = "required"\n').commit("Policy")
    project.git("switch", "-q", "discount")
    project.git("merge", "-q", "main")
    play(agent, half_done(agent.calls()))
    project.passdown("pack", "--no-check").check()
    hook_files.install(project.root / ".git/passdown")
    brief = project.passdown("resume", "--no-check").check().out
    return re.search(r"`(passdown readback .*?)`", brief)[1]


def guarded(agent, project, *more):
    program = hook_files.program(project.root / ".git/passdown")
    if isinstance(agent, Claude):
        return [*claude_hooks.one_run(program), *more]
    return [*codex_hooks.one_run(program), "--dangerously-bypass-hook-trust", *more]


CONFINED = ["-c", 'sandbox_mode="workspace-write"']


def test_the_first_write_waits_for_the_read_back(agent, project, handed):
    calls = agent.calls()
    options = [] if isinstance(agent, Claude) else CONFINED
    edit = calls.edit("prices.py", WRONG, RIGHT)
    script = [
        [edit],
        [calls.shell(handed)],
        [edit],
        [calls.shell('passdown note step "round half up" --because "whole cents"')],
        [calls.shell("python3 -c \"open('.git/passdown/mine', 'w')\"")],
        [Say("Done.")],
    ]
    with Model(script) as model:
        agent.run(model, "go on", *guarded(agent, project, *options)).check()
    requests = [str(request) for request in model.requests]
    assert "read the handoff back before the first write: `passdown readback" in requests[1]
    assert "READ BACK" in requests[2]
    assert project.read("prices.py").endswith(RIGHT)
    assert "Noted S" in requests[4]
    assert project.path(".git/passdown/mine").exists() is isinstance(agent, Claude), "Codex keeps .git read-only"
    told = project.passdown("log", "--json").check().json()
    assert [one["what"] for one in told].count("read back") == 1
    assert [one["text"] for one in told if one["what"] == "step"] == ['"round half up": whole cents (agent)']


def test_where_nobody_hears_it_the_sandbox_is_named(make_agent, project):
    """Without a hook, and as a part of a longer line, Codex's own sandbox keeps the record from its commands."""
    agent = make_agent("codex")
    calls = agent.calls()
    play(agent, half_done(calls))
    project.passdown("pack", "--no-check").check()
    before = project.passdown("log", "--json").check().json()
    with Model(
        [[calls.shell("passdown note step x")], [calls.shell("true && passdown note step y")], [Say("Done.")]]
    ) as m:
        agent.run(m, "go on", *CONFINED).check()
    for request in m.requests[1:]:
        assert "this sandbox keeps the record read-only" in str(request)
    assert project.passdown("log", "--json").check().json() == before
