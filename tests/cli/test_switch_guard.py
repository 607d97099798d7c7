"""A person's gap in the guard: hooks pass for a while, verify judges all the same, and the record says so."""

from __future__ import annotations

import pytest

from support.guarded import Guarded, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    guarded = Guarded(repo)
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    return guarded


def test_off_and_on(guarded):
    repo = guarded.repo
    assert decision(guarded.write("README.md")) == "deny"
    said = repo.passdown("off", "--for", "30m", "--because", "a hand is needed").check().out
    assert said.startswith("OFF    the guard of this worktree denies nothing until ")
    assert decision(guarded.write("README.md")) is None
    gap = "passdown on closes the gap"
    assert gap in repo.passdown("status").check().out
    repo.write("README.md", "changed\n")
    assert repo.passdown("verify", "--json").check(1).json()["holds"] is False
    repo.passdown("on").check()
    assert gap not in repo.passdown("status").check().out
    assert decision(guarded.write("README.md")) == "deny"
    told = [(each["what"], each["text"]) for each in repo.passdown("log", "--json").check().json()]
    assert [what for what, _ in told if what.startswith("guard")] == ["guard off", "guard on"]
    assert any("a hand is needed" in text for _, text in told)


@pytest.mark.parametrize("length", ["", "30", "0m", "1w", "-1h", "1h30m", "99999h"])
def test_no_length_of_time(guarded, length):
    done = guarded.repo.passdown("off", "--for", length).check(2)
    assert "is no length of time" in done.err


def test_a_gap_that_is_too_long(guarded):
    assert "--for '8d' is too long" in guarded.repo.passdown("off", "--for", "8d").check(2).err
    assert decision(guarded.write("README.md")) == "deny"


def test_it_is_a_persons(guarded):
    for verb in ("off", "on"):
        done = guarded.repo.passdown(verb, env={"CLAUDECODE": "1"}).check(2)
        assert "is a person's decision" in done.err


def test_where_nothing_binds(repo):
    repo.write("a", "a").commit("start")
    assert "no open task" in repo.passdown("off").check(2).err
