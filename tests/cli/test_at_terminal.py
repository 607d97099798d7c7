"""What is asked at a terminal, and only there."""

from __future__ import annotations

import re

import pytest

WHOLE = {"COLUMNS": None}


@pytest.mark.parametrize("keys", ["\n", "y\n", "Yes\n"])
def test_enter_at_resume_is_an_approve_verdict_marked_self(packed, keys):
    packed.passdown_at_terminal("resume", keys=keys).check()
    events = packed.passdown("log", "--json").check().json()
    assert [event["what"] for event in events][-2:] == ["answered", "resumed"]
    assert "(self)" in events[-2]["text"]
    assert packed.passdown("status", "--json").json()["boundary"]["source"] == "reviewed"


def test_q_at_resume_arms_nothing(packed):
    assert "nothing armed" in packed.passdown_at_terminal("resume", keys="q\n").check().out
    assert packed.passdown("status", "--json").json()["armed"] is False


def test_an_agent_at_a_terminal_is_asked_nothing(packed):
    packed.passdown_at_terminal("resume", keys="", env={"CLAUDECODE": "1"}).check()
    assert packed.passdown("log", env=WHOLE).out.count("answered") == 0


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("a\nfirst the client\nd\ny\n\n", "approve"),
        ("a\n\n\n\n\n", "approve"),
        ("n\n-1\nnote\n\n\n\n", "narrow"),
        ("n\n-99\na\n\n\n\n\n", "approve"),
        ("n\n\na\n\n\n\n\n", "approve"),
        ("r\n\n\n\n\n\n", "roll back"),
        ("h\n@bob\n\n\n\n\n", "handed over to @bob"),
        ("1\nx\na\n\n\n\n\n", "approve"),
    ],
)
def test_a_review_by_single_letters(packed, keys, said):
    out = packed.passdown_at_terminal("review", keys=keys).check().out
    assert "ANSWERED" in out
    assert said in packed.passdown("log", env=WHOLE).out


@pytest.mark.parametrize("keys", ["q\n", "\n"])
def test_deciding_later_records_nothing(packed, keys):
    assert "Undecided" in packed.passdown_at_terminal("review", keys=keys).check().out
    assert packed.passdown("log", env=WHOLE).out.count("answered") == 0


def test_a_roll_back_can_be_done_at_once(packed):
    packed.write("src/new.py", "x\n")
    out = packed.passdown_at_terminal("review", keys="r\n\n\n\n\ny\n").check().out
    assert "ROLLED BACK" in out
    assert not packed.path("src/new.py").exists()


def test_ctrl_d_is_a_quiet_end(packed):
    packed.passdown_at_terminal("review", keys="\x04").check(130)
    assert packed.passdown("log", env=WHOLE).out.count("answered") == 0


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize("verb", ["status", "review", "show", "log"])
def test_every_screen_fits(packed, verb, columns):
    out = packed.passdown(verb, env={"COLUMNS": columns}).check().out
    assert max(map(len, out.splitlines())) <= int(columns)
    assert len(out.splitlines()) <= 24


PAGER = {"PAGER": "cat", "NO_COLOR": "1"}


def test_d_shows_the_run_s_diff(packed):
    out = packed.passdown_at_terminal("review", keys="d\nq\n", env=PAGER).check().out
    assert "-WAIT = 3" in out
    assert "+WAIT = 5" in out
    assert "Undecided" in out


def test_the_diff_of_a_run_whose_start_is_not_known_is_against_the_base(project):
    """And never against nothing, which would show the whole repository."""
    project.write("src/retry.py", "WAIT = 4\n")
    project.passdown("pack", "--goal", "wait", "--no-check").check()
    out = project.passdown_at_terminal("review", keys="d\nq\n", env=PAGER).check().out
    assert "+WAIT = 4" in out
    assert "migrations" not in out.partition("diff --git")[2]


def test_a_diff_with_nothing_in_it_says_so(project):
    project.passdown("pack", "--goal", "look", "--no-check").check()
    assert "Nothing differs" in project.passdown_at_terminal("review", keys="d\nq\n", env=PAGER).check().out


@pytest.mark.parametrize(
    "foreign",
    [b"\x1b[2J\x1b[1;1HREVIEW approved", b"\x1b]0;title\x07", b"\x9b2J", b"a\rb", "a\u202eb".encode(), b"\xff\xfe\x00"],
    ids=["clear", "title", "c1", "return", "bidi", "binary"],
)
@pytest.mark.parametrize("colour", [None, "1"], ids=["colour", "plain"])
def test_a_foreign_diff_can_not_speak_to_the_terminal(worked, foreign, colour):
    """J4: what a file holds is shown, never obeyed."""
    worked.write("src/evil.txt", foreign + b"\n")
    worked.passdown("pack", "--no-check").check()
    env = {"PAGER": "cat", "NO_COLOR": colour}
    out = worked.passdown_at_terminal("review", keys="d\nq\n", env=env).check().out
    shown = out.partition("diff --git")[2]
    assert "src/evil.txt" in shown
    for ours in ("\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"):
        shown = shown.replace(ours, "")
    assert not any(c in shown for c in "\x1b\x9b\x07\r\u202e\x00")


def test_no_pager_where_there_is_no_terminal(packed):
    result = packed.passdown("review", env={"PAGER": "sh -c 'echo PAGED'"}).check()
    assert "PAGED" not in result.out + result.err


def test_nobody_is_sent_to_the_command_that_they_are_in(packed):
    out = packed.passdown_at_terminal("resume", keys="\n").check().out
    assert "Next   passdown resume" not in out


def test_what_the_questions_are_is_said_once_before_they_are_asked(packed):
    out = packed.passdown_at_terminal("review", keys="a\n\n\n\n\n", env={"COLUMNS": "120"}).check().out
    assert out.count("Enter skips it as not known") == 1
    assert "[d]one" not in out


def test_evidence_tells_the_time_as_a_clock_does(packed):
    out = packed.passdown_at_terminal("review", keys="".join(f"{n}\n" for n in range(1, 9)) + "q\n").out
    assert not re.search(r"\d{4}-\d\d-\d\dT\d\d:", out)
