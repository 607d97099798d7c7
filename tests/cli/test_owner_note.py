"""A note to the next run stays until its reviewer replaces or withdraws it, and until a run has read it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

BOB = {"GIT_AUTHOR_EMAIL": "bob@example.test", "GIT_COMMITTER_EMAIL": "bob@example.test"}
WIDE = {"COLUMNS": "140"}


def brief(repo):
    return repo.passdown("show", "--brief").check().out


def answer(repo, *args, env=None):
    return repo.passdown("review", *(args or ["--approve"]), env={**WIDE, **(env or {})}).check().out


def test_a_second_answer_without_one_leaves_it(packed):
    answer(packed, "--approve", "--note", "client first")
    assert 'Note       "client first"' in answer(packed, "--narrow", "-1")
    assert 'narrow): "client first"' in brief(packed)
    assert packed.passdown("show", "--json").json()["verdict"]["note"] == "client first"
    assert "client first" in packed.passdown("review", env=WIDE).check().out


@pytest.mark.parametrize(("note", "left"), [("then the tests", True), ("", False)], ids=["replaced", "withdrawn"])
def test_replaced_or_withdrawn_it_is_gone(packed, note, left):
    answer(packed, "--approve", "--note", "client first")
    out = answer(packed, "--approve", "--note", note)
    assert ("then the tests" in brief(packed)) == left
    assert "client first" not in brief(packed)
    assert ("withdrawn" in out) != left


def test_another_reviewer_s_answer_does_not_take_it_away(packed):
    answer(packed, "--approve", "--note", "client first")
    answer(packed, "--narrow", "-1", "--note", "no new dependency", env=BOB)
    text = brief(packed)
    assert "client first" in text
    assert "no new dependency" in text


def test_it_goes_on_to_the_next_packet_where_no_run_has_read_it(packed):
    answer(packed, "--approve", "--note", "client first")
    packed.write("src/client.py", "def call():\n    return 7\n")
    packed.passdown("pack", "--no-check").check()
    assert "client first" in brief(packed)
    packed.passdown("resume", "--no-check").check()
    packed.passdown("pack", "--no-check").check()
    assert "client first" not in brief(packed), "C4: a run has read it"


def test_a_note_alone_is_no_answer_not_even_an_empty_one(packed):
    packed.passdown("review", "--note", "").check(2)


@pytest.mark.parametrize(("typed", "left"), [("", True), ("-", False), ("zebra", False)])
def test_at_a_terminal_enter_keeps_it_and_a_dash_withdraws_it(packed, typed, left):
    answer(packed, "--approve", "--note", "client first")
    packed.passdown_at_terminal("review", keys=f"a\n{typed}\n\n\n\n\n", env=WIDE).check()
    assert ("client first" in brief(packed)) == left
    assert ("zebra" in brief(packed)) == (typed == "zebra")


def test_the_time_of_an_answer_is_when_it_was_given(packed):
    """And not when the screen was opened: somebody reads for an hour."""
    began = datetime.now(UTC)
    slow = {**WIDE, "PAGER": "sh -c 'cat > /dev/null; sleep 2'"}
    packed.passdown_at_terminal("review", keys="d\na\n\n\n\n\n", env=slow).check()
    answered = packed.passdown("log", "--json").check().json()[-1]
    assert answered["what"] == "answered"
    assert datetime.fromisoformat(answered["at"]) - began > timedelta(seconds=2)
