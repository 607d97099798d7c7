"""What a person types means what it says, or is one clear line: nothing binds in silence that cannot."""

from __future__ import annotations

import pytest


def test_a_pattern_of_this_folder_s_own_path_is_the_repository_s(project):
    project.passdown("start", "x", "--allow", f"{project.root}/src/**").check()
    assert "outside" not in project.passdown("boundary", "explain", "src/retry.py").check().out


@pytest.mark.parametrize("pattern", ["/etc/passwd", "/usr/**"])
def test_a_pattern_of_another_place_is_refused(packed, pattern):
    assert "outside the worktree" in packed.passdown("start", "x", "--allow", pattern).check(2).err
    assert "outside the worktree" in packed.passdown("review", "--narrow", f"+{pattern}").check(2).err


def test_a_file_that_is_denied_is_not_listed_as_one_that_may_be_written(packed):
    packed.passdown("resume", "--no-check").check()
    packed.passdown("boundary", "deny", "src/client.py").check()
    boundary = packed.passdown("status", "--json").check().json()["boundary"]
    assert "src/client.py" not in [entry["path"].lstrip("/") for entry in boundary["allow"]]
    assert "src/client.py" in [entry["path"] for entry in boundary["deny"]]


def test_nothing_goes_on_from_a_task_that_ended(packed):
    digest = packed.passdown("show", "--json").check().json()["packet"]
    packed.passdown("outcome", "abandoned", "--because", "enough").check()
    result = packed.passdown("resume", digest).check(1)
    assert "is abandoned" in result.err
    assert "--from" in result.err
    assert "Armed" not in result.out


def test_an_outcome_says_what_it_leaves_open(packed):
    packed.passdown("note", "step", "write the docs").check()
    assert "left open: F1 S" in packed.passdown("outcome", "abandoned", "--because", "enough").check().out


@pytest.mark.parametrize(("typed", "kind"), [("decission", "decision"), ("questoin", "question"), ("steps", "step")])
def test_a_mistyped_kind_of_note_is_no_step(packed, typed, kind):
    assert f"passdown note {kind}" in packed.passdown("note", typed, "cap 60 s").check(2).err
    packed.passdown("note", f"{typed} it by hand").check()


def test_the_first_step_is_in_the_code_where_a_failure_names_no_file(project, sessions):
    session = sessions.claude(project.root, branch="retry").user("make it pass")
    session.edit("docs/guide.md", "Guide", "Guides").edit("src/retry.py", "WAIT = 3", "WAIT = 5")
    session.bash("npm test", exit=1, output="not ok 1 - umlauts\n# tests 1\n# pass 0\n# fail 1\n").say("Half.").save()
    project.passdown("pack", "--no-check").check()
    assert "--first src/retry.py" in project.passdown("show", "--brief").check().out
