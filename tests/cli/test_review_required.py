"""A review that the policy requires: nothing goes on without it, in solo as in team, and not any answer is one."""

from __future__ import annotations

import pytest

BOB = {"GIT_AUTHOR_EMAIL": "bob@example.test", "GIT_COMMITTER_EMAIL": "bob@example.test"}


def under(repo, review, mode="solo"):
    """The policy on the base branch, then a packet."""
    repo.git("stash", "-q", "-u")
    text = f'mode = "{mode}"\nresume_owner = "@alice"\n[git]\nbase = "main"\n[review]\n{review}\n'
    repo.switch("main").write("passdown.toml", text).commit("Review").switch("retry").git("rebase", "-q", "main")
    repo.git("stash", "pop", "-q")
    repo.passdown("pack", "--no-check").check()
    return repo


def held(repo, code):
    document = repo.passdown("resume", "--no-check", "--json").check(code).json()
    return [reason["code"] for reason in document["hold"]["reasons"] if reason["level"] == "hold"]


def test_required_in_solo_holds_until_somebody_has_answered(worked):
    repo = under(worked, "required = true")
    assert held(repo, 1) == ["review-missing"]
    assert "no owner has answered" in repo.passdown("resume", "--no-check").check(1).out
    repo.passdown("review", "--approve").check()
    assert held(repo, 0) == []


@pytest.mark.parametrize("mode", ["solo", "team"])
def test_one_s_own_answer_is_none_where_it_must_be_somebody_else_s(worked, mode):
    """E14."""
    repo = under(worked, "required = true\nindependent = true", mode)
    repo.passdown("review", "--approve").check()
    assert held(repo, 1) == ["review-missing"]
    assert "somebody else answers" in repo.passdown("resume", "--no-check").check(1).out
    repo.passdown("review", "--approve", env=BOB).check()
    assert held(repo, 0) == []
    repo.passdown("verify").check()


def test_widening_one_s_own_boundary_in_the_middle_is_no_answer_either(worked):
    repo = under(worked, "", "team")
    repo.passdown("review", "--approve", env=BOB).check()
    repo.passdown("resume", "--no-check").check()
    repo.write("docs/guide.md", "x\n")
    repo.passdown("verify").check(1)
    repo.passdown("review", "--narrow", "+docs/guide.md").check()
    assert "somebody else answers" in repo.passdown("verify").check(3).out


@pytest.mark.parametrize(("asked", "code"), [("terminal", 1), ("fido", 1)])
def test_an_answer_without_a_person_in_sight_is_none_where_one_is_asked_for(worked, asked, code):
    repo = under(worked, f'required = true\npresence = "{asked}"')
    repo.passdown("review", "--approve").check()
    assert held(repo, code) == ["review-missing"]
    repo.passdown_at_terminal("review", keys="a\n\n\n\n\n").check()
    assert held(repo, 0 if asked == "terminal" else 1) == ([] if asked == "terminal" else ["review-missing"])


def test_a_person_lifts_it_with_one_reason(worked):
    repo = under(worked, "required = true")
    repo.passdown("lift", "--because", "alone today").check()
    assert held(repo, 0) == []


@pytest.mark.parametrize("setting", ['presence = "fido"', "independent = true"])
def test_a_setting_that_decides_nothing_says_so_in_one_line(worked, setting):
    repo = under(worked, setting)
    for verb in ("review", "resume"):
        err = repo.passdown(verb).check().err
        assert err.count("decides nothing while review.required is not set") == 1
