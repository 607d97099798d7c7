"""From inside the real clients' shell tool: what is a person's is refused, what helps an agent works (E11, E14)."""

from __future__ import annotations

import pytest

from support.model import Say
from support.story import half_done, play, session_of

pytestmark = pytest.mark.agents

CLIENT = {"claude": "Claude Code", "codex": "Codex"}

PERSONS = ("boundary set 'docs/**'", "review --approve", "outcome completed", "check --confirm tests")
ANYBODYS = ("status", "show", "boundary show", "pack --no-check", "check tests", 'note step "round to whole cents"')


def test_an_agent_decides_nothing_and_may_do_the_rest(agent, project):
    calls = agent.calls()
    play(agent, half_done(calls))
    project.passdown("pack", "--no-check").check()
    project.passdown("check", "--confirm", "tests").check(1)
    before = project.passdown("log", "--json").check().json()
    commands = [f"passdown {one}" for one in (*PERSONS, *ANYBODYS)]
    play(agent, [*([calls.shell(command)] for command in commands), [Say("Done.")]], "see how it stands")
    facts = project.passdown("session", session_of(project), "--json").check().json()
    ran = {one["command"].removeprefix("passdown "): one for one in facts["commands"]}
    for verb in PERSONS:
        told = ran[verb]["output_tail"]
        assert (ran[verb]["exit"], ran[verb]["ok"]) == (2, False), verb
        assert f"is a person's decision, and {CLIENT[facts['agent']]} runs this process" in told
        assert f"a person types it in a terminal of their own: passdown {verb.split()[0]}" in told
    assert {verb: ran[verb]["exit"] for verb in ANYBODYS} == {**dict.fromkeys(ANYBODYS, 0), "check tests": 1}
    told = {verb: ran[verb]["output_tail"] for verb in ANYBODYS}
    assert "passdown" in told["status"]
    assert "F1 test_prices.py::test_all_off" in told["show"]
    assert "docs/guide.md" in told["boundary show"]
    assert "the run is still going" in told["pack --no-check"]
    assert "1 failed" in told["check tests"]
    assert told[ANYBODYS[-1]].startswith("Noted S")
    log = project.passdown("log", "--json").check().json()
    assert [one["type"] for one in log[: len(before)]] == [one["type"] for one in before]
    since = [one["type"] for one in log[len(before) :] if one["type"] != "compared"]  # anew in the client's environment
    assert since == ["packet", "evidence", "note"]
    assert project.passdown("status", "--json").check().json()["armed"] is False
    assert project.passdown("resume", "--json").check().json()["armed"] is True, "the run that packed has ended"
