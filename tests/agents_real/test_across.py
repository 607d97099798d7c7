"""From one client to the other in a team: killed in mid-work, drafted, reviewed, resumed, held to it, completed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from support.clients import Claude
from support.model import Model, Say
from support.process import PASSDOWN, until
from support.story import CLAIM, GOAL, OLD, RIGHT, WRONG

pytestmark = pytest.mark.agents

POLICY = """\
mode = "team"
resume_owner = "@bob"
[git]
base = "main"
[guard]
mode = "enforce"
[checks.tests]
run = "python3 -m pytest -q -p no:cacheprovider"
acceptance = true
"""
BOB = {
    "GIT_AUTHOR_NAME": "Bob",
    "GIT_AUTHOR_EMAIL": "bob@example.com",
    "GIT_COMMITTER_NAME": "Bob",
    "GIT_COMMITTER_EMAIL": "bob@example.com",
}
OPTIONS = {
    "claude": "-p --permission-mode acceptEdits",
    "codex": "exec --json --dangerously-bypass-hook-trust -c sandbox_mode=workspace-write",
}


def written_down(text):
    """Wait until a transcript has it: a client writes its own a moment later."""
    homes = [Path(os.environ[name]) for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME")]
    until(lambda: any(text in file.read_text(errors="replace") for home in homes for file in home.rglob("*.jsonl")))


def killed(agent, folder):
    """The first run: a wrong edit, a failing test, a claim that is not so, then no goodbye."""
    calls = agent.calls()
    wait = f"touch {folder}/started; sleep 60"
    script = [
        [calls.edit("prices.py", OLD, WRONG)],
        [calls.shell("python3 -m pytest -q -p no:cacheprovider")],
        [Say(CLAIM), calls.shell(wait)],
    ]
    with Model(script) as model, agent.begin(model, GOAL) as running:
        running.until(folder / "started")
        written_down(CLAIM)
        running.kill()
        running.ended()


@pytest.mark.parametrize(("first", "second"), [("claude", "codex"), ("codex", "claude")])
def test_killed_in_one_client_completed_in_the_other(make_agent, project, tmp_path, first, second):
    project.git("switch", "-q", "main")
    project.write("passdown.toml", POLICY).commit("Policy").git("switch", "-q", "discount")
    project.git("merge", "-q", "main")
    killed(make_agent(first), tmp_path)

    held = project.passdown("resume", "--no-check")
    assert held.code == 1, held.out
    assert "review" in held.out
    packet = project.passdown("show", "--json").check().json()
    assert packet["run"]["agent"] == first
    assert packet["run"]["end"]["reason"] in ("crashed", "interrupted", "truncated")
    assert [(o["text"], o["class"]) for o in packet["outcomes"]] == [(CLAIM, "CONTRADICTED")]
    assert "test_prices.py::test_all_off" in [item["text"] for item in packet["items"]]

    project.passdown("review", "--approve", "--note", "prices.py alone", env=BOB).check()
    held = project.passdown("resume", "--no-check").check(1).out
    assert "what was said is not so" in held
    project.passdown("lift", "--because", "seen: the tests come first", env=BOB).check()
    brief = project.passdown("show", "--brief").check().out
    assert "prices.py alone" in brief
    read_back = re.search(r"`(passdown readback .*?)`", brief)[1]

    agent = make_agent(second)
    calls = agent.calls()
    script = [
        [calls.edit("prices.py", WRONG, RIGHT)],
        [calls.shell(read_back)],
        [calls.write("docs/guide.md", "x")],
        [calls.edit("prices.py", WRONG, RIGHT)],
        [calls.shell('passdown note decision "whole cents, rounded down" --because "the shop does"')],
        [calls.shell("python3 -m pytest -q -p no:cacheprovider")],
        [Say("All 4 tests pass.")],
    ]
    with Model(script) as model:
        argv = [PASSDOWN, "resume", "--no-check", "--with", f"{agent.program} {OPTIONS[second]}"]
        agent.through(model, argv).check()
    asked = [str(request) for request in model.requests]
    assert not model.left, asked[-1][-2000:]
    assert "prices.py alone" in asked[0]
    assert "read the handoff back before the first write" in asked[1]
    assert "READ BACK" in asked[2]
    assert "docs/guide.md is outside what this run may write" in asked[3]
    assert "Noted D" in asked[5]
    assert project.read("docs/guide.md") == "# Guide\n"
    assert project.read("prices.py").endswith(RIGHT)

    project.passdown("check").check()
    project.passdown("verify").check()
    (check,) = [one for one in project.passdown("show", "--json").json()["checks"] if one["name"] == "tests"]
    assert check["class"] == "VERIFIED"
    project.passdown("pack", "--no-check").check()
    project.passdown("outcome", "completed").check()
    told = [one["what"] for one in project.passdown("log", "--json").check().json()]
    for what in ("drafted", "answered", "lifted", "resumed", "read back", "decision", "check", "packed", "outcome"):
        assert what in told, told
    metric = project.passdown("metrics", "--json").check().json()["metrics"]
    counted = {one["name"]: (one["numerator"], one["denominator"]) for one in metric}
    assert counted["resumed-tasks-completed"] == (1, 1)
    assert counted["reopened-scope-incidents"] == (1, 1)
    assert counted["first-try-readbacks"] == (1, 1)
    assert isinstance(agent, Claude) is (second == "claude")
