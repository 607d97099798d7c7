"""`passdown readback`: the last line of the brief, typed; two wrong tries are a HOLD."""

from __future__ import annotations

import re
import shlex

import pytest

AGENT = {"CLAUDECODE": "1"}
WHOLE = {"COLUMNS": None}


@pytest.fixture
def resumed(packed):
    packed.passdown("resume", "--no-check").check()
    return packed


def asked(repo):
    """The command that the brief ends with, as words."""
    brief = repo.passdown("show", "--brief").check().out
    return shlex.split(re.search(r"`passdown (readback .*)`", brief)[1])


def without(words, flag):
    return [w for at, w in enumerate(words) if w != flag and words[at - 1] != flag]


@pytest.mark.parametrize("env", [{}, AGENT], ids=["person", "agent"])
def test_the_line_of_the_brief_is_accepted_and_the_log_tells_it(resumed, env):
    words = asked(resumed)
    answer = resumed.passdown(*words, "--json", env=env).check().json()
    assert (answer["accepted"], answer["faults"]) == (True, [])
    assert answer["packet"].startswith(words[1])
    event = resumed.passdown("log", "--json").check().json()[-1]
    assert event["what"] == "read back"
    assert f"{words[1]} accepted" in event["text"]
    assert ("(agent)" in event["text"]) is bool(env)


def reordered(words):
    return [w if "," not in w else ", ".join(reversed(w.split(","))).lower() for w in words]


def dotted(words):
    at = words.index("--first") + 1
    return [*words[:at], f'"./{words[at]}"', *words[at + 1 :]]


def split(words):
    found = words[:2]
    for flag, value in zip(words[2::2], words[3::2], strict=True):
        found += [part for one in value.split(",") for part in (flag, one)]
    return found


@pytest.mark.parametrize("spelled", [reordered, dotted, split])
def test_order_quotes_and_dots_do_not_matter(resumed, spelled):
    resumed.passdown(*spelled(asked(resumed))).check()


def test_an_absolute_path_is_the_same_file(resumed):
    words = asked(resumed)
    at = words.index("--first") + 1
    resumed.passdown(*words[:at], str(resumed.path(words[at])), *words[at + 1 :]).check()


@pytest.mark.parametrize("flag", ["--open", "--first", "--not"])
def test_the_missing_item_is_named(resumed, flag):
    words = asked(resumed)
    result = resumed.passdown(*without(words, flag)).check(1)
    assert "DOES NOT MATCH" in result.out
    assert flag in result.out
    if flag != "--first":
        for item in words[words.index(flag) + 1].split(","):
            assert item in result.out
    resumed.passdown(*words).check()
    assert resumed.passdown("resume", "--no-check", "--json").check().json()["armed"] is True


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--first", "migrations/0001.sql"], "is outside"),
        (["--first", "docs/guide.md"], "is outside"),
        (["--open", "F99"], "F99"),
    ],
)
def test_what_is_wrong_is_named(resumed, args, says):
    words = without(asked(resumed), args[0]) if args[0] == "--first" else asked(resumed)
    assert says in resumed.passdown(*words, *args).check(1).out


def test_two_failed_tries_hold_until_a_person_lifts(resumed):
    words = asked(resumed)
    first = resumed.passdown(*words[:2], "--json", env=AGENT).check(1).json()
    assert (first["accepted"], first["hold"]["state"]) == (False, "WATCH")
    assert first["faults"]
    second = resumed.passdown(*words[:2], "--json", env=AGENT).check(1).json()
    assert second["hold"]["state"] == "HOLD"
    assert "readback-failed" in [reason["code"] for reason in second["hold"]["reasons"]]
    right = resumed.passdown(*words, env=AGENT).check(1)
    assert right.out.startswith("HOLD")
    assert resumed.passdown("resume", "--no-check", "--json").check(1).json()["armed"] is False
    told = resumed.passdown("log", env=WHOLE).check().out
    assert told.count("did not match") == 2
    resumed.passdown("lift", "--because", "I read it to the agent").check()
    resumed.passdown(*words, env=AGENT).check()
    resumed.passdown("resume", "--no-check").check()


def test_a_right_one_in_between_starts_the_count_anew(resumed):
    words = asked(resumed)
    for args, code in ((words[:2], 1), (words, 0), (words[:2], 1)):
        resumed.passdown(*args).check(code)
    assert resumed.passdown("resume", "--no-check", "--json").check().json()["armed"] is True


def test_under_a_hold_nothing_is_read_back(resumed):
    words = asked(resumed)
    resumed.passdown("hold", "--because", "wait").check()
    assert resumed.passdown(*words).check(1).out.startswith("HOLD")
    assert "read back" not in resumed.passdown("log", env=WHOLE).out


def test_what_was_answered_is_what_is_read_back(resumed):
    """The boundary in force, not the sealed one, is restated."""
    sealed = resumed.passdown("show", "--as-sealed", "--json").json()["boundary"]["deny"]
    resumed.passdown("review", "--narrow", "-docs/**").check()
    out = resumed.passdown("resume", "--no-check").check().out
    words = shlex.split(re.search(r"`passdown (readback .*)`", out)[1])
    assert len(words[words.index("--not") + 1].split(",")) == len(sealed) + 1
    resumed.passdown(*without(words, "--not")).check(1)
    resumed.passdown(*words).check()


def test_an_older_packet_and_an_ended_task_are_told(resumed):
    words = asked(resumed)
    resumed.passdown("pack", "--no-check").check()
    assert "superseded" in resumed.passdown(*words).check(2).err
    newest = asked(resumed)
    resumed.passdown("outcome", "abandoned", "--because", "x").check()
    assert "ended" in resumed.passdown(*newest).check(2).err


def test_a_secret_that_is_read_back_is_not_written(resumed):
    """J1."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answer = resumed.passdown(*asked(resumed)[:2], "--open", secret, "--first", secret, "--json").check(1)
    assert secret not in answer.out
    assert secret not in resumed.passdown("log", "--json").check().out
