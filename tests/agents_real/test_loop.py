"""The whole loop through both clients: one works, a person narrows, the other leaves the boundary, verify says so."""

from __future__ import annotations

import pytest

from support.model import Say
from support.story import CLAIM, GOAL, RIGHT, WRONG, half_done, play

pytestmark = pytest.mark.agents


@pytest.mark.parametrize("second", ["codex", "codex in code mode"])
def test_from_claude_over_a_person_to_codex(claude, make_agent, second, project):
    """D1."""
    codex = make_agent(second)
    play(claude, half_done(claude.calls()))
    packet = project.passdown("pack", "--json").check().json()
    allowed = [entry["path"] for entry in packet["boundary"]["allow"]]
    assert [path.lstrip("/") for path in allowed] == ["docs/discounts.md", "prices.py", "test_prices.py"]
    note = "prices.py first; the tests are right"
    project.passdown("review", "--narrow", "-1", "-3", "--note", note).check()
    brief = project.passdown("resume", "--no-check").check().out
    assert GOAL in brief
    assert note in brief
    assert f'"{CLAIM}"' in brief
    project.passdown("verify").check()

    calls = codex.calls()
    inside = [calls.edit("prices.py", WRONG, RIGHT)]
    outside = [calls.edit("test_prices.py", "    assert prices.total([1, 2, 3]) == 6", "    assert True")]
    model = play(codex, [inside, outside, [calls.shell("pytest -q")], [Say(CLAIM)]], brief)
    assert any(note in str(request) for request in model.requests)
    verify = project.passdown("verify").check(1)
    assert "test_prices.py" in verify.out
    answer = project.passdown("verify", "--json").check(1).json()
    assert [(one["path"], one["op"]) for one in answer["violations"]] == [("test_prices.py", "modified")]
    project.git("checkout", "-q", "--", "test_prices.py")
    project.passdown("verify").check()
    assert project.passdown("pack", "--json").check().json()["run"]["agent"] == "codex"
