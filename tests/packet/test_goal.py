"""What a task is called."""

from __future__ import annotations

from support.repo import Repo


def test_a_goal_that_is_said_later_names_the_task(repo: Repo) -> None:
    repo.write("a.py", "a = 1\n").commit("Begin")
    repo.write("a.py", "a = 2\n")
    assert repo.passdown("pack", "--json").check().json()["task"]["title"] == "no goal known"
    packet = repo.passdown("pack", "--goal", "make it say two", "--json").check().json()
    assert packet["task"]["title"] == "make it say two"
