"""F7: a repository that was moved keeps its task: every verb says how, one command binds it, the record tells."""

from __future__ import annotations

import shutil

import pytest

from support.repo import Repo

HOW = "passdown resume --rebind"


def move(repo, name="elsewhere"):
    new = repo.root.parent / name
    repo.root.rename(new)
    return Repo(new, repo._clock)


@pytest.fixture
def moved(packed):
    packed.passdown("review", "--approve", "--note", "client first").check()
    return move(packed)


@pytest.mark.parametrize(
    "verb", [["status"], ["resume"], ["pack"], ["review"], ["note", "x"], ["verify"]], ids=" ".join
)
def test_every_verb_names_the_old_folder_and_the_command(moved, verb):
    result = moved.passdown(*verb, env={"COLUMNS": "300"})
    said = result.out + result.err
    assert str(moved.root.parent / "repo") in said
    assert HOW in said
    assert moved.passdown("log", "--json").out.count("packed") == 1, "nothing was begun anew"


def test_rebinding_goes_on_as_if_it_had_never_moved(moved):
    document = moved.passdown("resume", "--rebind", "--no-check", "--json").check().json()
    assert document["armed"] is True
    assert document["drift"] == []
    moved.write("docs/guide.md", "x\n")
    moved.passdown("verify").check(1)
    assert "rebound" in moved.passdown("log").check().out
    assert moved.passdown("log", "--verify").check()


def test_a_task_that_was_open_is_packed_with_its_boundary_after_a_move(packed):
    packed.passdown("review", "--approve").check()
    packed.passdown("resume", "--no-check").check()
    packed.write("docs/guide.md", "x\n")
    new = move(packed)
    packet = new.passdown("pack", "--rebind", "--no-check", "--json").check().json()
    assert [(f["path"], f["inside"]) for f in packet["files"]] == [("docs/guide.md", False)]
    assert packet["previous"]


def test_moved_twice_and_back(moved):
    moved.passdown("resume", "--rebind", "--no-check").check()
    again = move(moved, "third")
    again.passdown("resume", "--rebind", "--no-check").check()
    back = move(again, "repo")
    assert back.passdown("status", "--json").check().json()["task"] is not None


def test_a_linked_worktree_of_a_moved_repository(packed):
    other = packed.worktree("other")
    other.write("src/retry.py", "WAIT = 8\n")
    other.passdown("pack", "--goal", "wait", "--no-check").check()
    new = move(packed)
    new.git("worktree", "repair", other.root)
    assert HOW in other.passdown("resume").check(2).err
    other.passdown("resume", "--rebind", "--no-check").check()
    new.passdown("resume", "--rebind", "--no-check").check()


def test_where_nothing_was_moved_there_is_nothing_to_bind(packed):
    assert "nothing to rebind" in packed.passdown("resume", "--rebind").check(2).err
    fresh = packed.branch("new")
    assert "nothing to rebind" in fresh.passdown("pack", "--rebind").check(2).err


def test_a_worktree_that_lives_loses_no_task_to_another(packed):
    """F3."""
    other = packed.worktree("other")
    packed.switch("main") if packed.git("status", "--porcelain") == "" else None
    assert "nothing to rebind" in other.passdown("resume", "--rebind").check(2).err
    assert HOW not in other.passdown("status").check().out


def test_a_copy_has_moved_nothing(packed):
    packed.passdown("review", "--approve").check()
    copy = packed.root.parent / "copy"
    shutil.copytree(packed.root, copy, symlinks=True)
    assert HOW not in Repo(copy, packed._clock).passdown("status").check().out
    assert packed.passdown("status", "--json").check().json()["task"] is not None
