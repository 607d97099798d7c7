"""What was noted after a packet was sealed reaches the next run: at once, and by the next packet too."""

from __future__ import annotations

import re

import pytest

from support.repo import Repo

D1 = ("decision", "cap at 60 s", "--scope", "src/retry.py")
NOTES = {
    "a decision": (
        [(*D1, "--over", "no cap", "--revisit-if", "v2 is out")],
        ['Do not reopen: D1 "cap at 60 s", not "no cap" in src/retry.py', 'revisit it if "v2 is out"'],
    ),
    "one in the place of another": ([D1, ("cap at 90 s", "--supersedes", "D1")], ["cap at 90 s"]),
    "a dead end": ([("dead-end", "patching the clock", "--because", "read-only")], ['Dead end: "patching the clock"']),
    "a step": ([("step", "write the docs")], ['S1 "write the docs"']),
    "a question": ([("question", "which unit?")], ['Q1 open question: "which unit?"']),
    "an answer": (
        [("question", "may the API change?", "--architecture"), ("--answer", "Q1", "no")],
        ['Do not reopen: D1 "may the API change? no"'],
    ),
    "an asked-for path": (
        [("--ask-widen", "src/backoff.py", "--because", "F1 needs it")],
        ['Asked for, nobody has answered: W1 "src/backoff.py'],
    ),
}


@pytest.mark.parametrize("what", NOTES)
def test_it_stands_in_the_brief(packed: Repo, what: str):
    notes, told = NOTES[what]
    for note in notes:
        packed.passdown("note", *note).check()
    for again in (False, True):
        if again:
            packed.passdown("pack", "--no-check").check()
        brief = packed.passdown("show", "--brief", "--budget", "900").check().out
        assert [text for text in told if text not in brief] == [], brief
        assert len(re.findall("cap at", brief)) <= 1, "what was superseded is gone"


def test_an_assumption_is_only_said(packed: Repo):
    packed.passdown("note", "assumption", "the server is UTC").check()
    packed.passdown("pack", "--no-check").check()
    assert 'Only said in a note: "the server is UTC"' in packed.passdown("show", "--brief", "--budget", "900").out


def test_an_agents_answer_settles_nothing(packed: Repo):
    packed.passdown("note", "question", "may the API change?").check()
    packed.passdown("note", "--answer", "Q1", "yes", env={"CLAUDECODE": "1"}).check()
    assert "Do not reopen" not in packed.passdown("show", "--brief").check().out
