"""Kept content survives whatever the user's git does to its own objects."""

# ruff: noqa: E501 - a shell program reads best on one line

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from passdown.errors import PassdownError
from passdown.workspace.diff import list_tree, read_path
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import keep, kept, take
from passdown.workspace.store_git import ensure_store

if TYPE_CHECKING:
    from pathlib import Path

    from support.repo import Repo

LOSSES = {
    "gc": "git gc -q --prune=now",
    "repack": "git repack -adq",
    "reset": "git reset -q --hard HEAD",
    "reset and gc": "git reset -q --hard HEAD; git reflog expire --expire=now --all; git gc -q --prune=now",
    "branch deleted": "git checkout -q main; git branch -qD work; git reflog expire --expire=now --all; git gc -q --prune=now",
    "stash dropped": "git stash -q -u; git stash drop -q; git reflog expire --expire=now --all; git gc -q --prune=now",
    "clean": "git reset -q --hard; git clean -qfdx; git gc -q --prune=now",
    "private dir lost": "rm -rf .git/passdown/worktrees; git reset -q --hard; git clean -qfd; git gc -q --prune=now",
}


@pytest.fixture
def working(repo: Repo) -> Repo:
    repo.branch("work").write("committed.py", "on the branch only\n").commit("Work")
    repo.write("staged.py", "staged\n").stage("staged.py").write("untracked.py", "untracked\n").append(
        "README.md", "more\n"
    )
    repo.write("staged.py", "staged, then edited\n")
    return repo


@pytest.mark.parametrize("loss", LOSSES)
def test_kept_trees_survive(working: Repo, loss: str) -> None:
    place = find_place(working.root)
    snapshot = take(place)
    keep(place, snapshot.tree)
    before = {path: read_path(place, snapshot.tree, path) for path in list_tree(place, snapshot.tree)}
    working.run("sh", "-ec", LOSSES[loss]).check()
    place = find_place(working.root)
    assert kept(place, snapshot.tree)
    assert {path: read_path(place, snapshot.tree, path) for path in list_tree(place, snapshot.tree)} == before
    assert before["untracked.py"] == b"untracked\n"
    assert restore(place, snapshot.tree) == []
    assert take(place).tree == snapshot.tree


def test_objects_that_went_before_keeping_are_taken_again_from_the_worktree(working: Repo) -> None:
    working.write("staged.py", "staged\n")
    place = find_place(working.root)
    snapshot = take(place)
    content = working.read("staged.py")
    working.git("reset", "-q", "--hard")
    working.git("reflog", "expire", "--expire=now", "--all")
    working.git("checkout", "-q", "main")
    working.git("branch", "-qD", "work")
    working.git("reflog", "expire", "--expire=now", "--all")
    working.git("gc", "-q", "--prune=now")
    working.write("staged.py", content).append("README.md", "more\n").write("committed.py", "on the branch only\n")
    keep(place, snapshot.tree)
    assert kept(place, snapshot.tree)
    assert read_path(place, snapshot.tree, "committed.py") == b"on the branch only\n"


def test_content_that_is_gone_everywhere_is_said_to_be_gone(working: Repo) -> None:
    place = find_place(working.root)
    snapshot = take(place)
    shutil.rmtree(place.home / "worktrees")
    working.git("reset", "-q", "--hard")
    working.git("clean", "-qfd")
    with pytest.raises(PassdownError, match="is gone"):
        keep(place, snapshot.tree)
    assert not kept(place, snapshot.tree)


def test_keeping_twice_and_keeping_a_little_more(working: Repo) -> None:
    place = find_place(working.root)
    first = rescue(place)
    keep(place, first.tree)
    packs = len(list((place.home / "store.git/objects/pack").glob("*.pack")))
    working.append("README.md", "even more\n")
    second = rescue(place)
    assert len(list((place.home / "store.git/objects/pack").glob("*.pack"))) == packs + 1
    assert kept(place, first.tree)
    assert kept(place, second.tree)


def test_a_kept_tree_is_no_commit_of_the_user(working: Repo) -> None:
    log, refs = working.git("log", "--all", "--format=%H"), working.git("for-each-ref")
    rescue(find_place(working.root))
    assert working.git("log", "--all", "--format=%H") == log
    assert working.git("for-each-ref") == refs


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_store_is_built_once(tmp_path: Path, object_format: str) -> None:
    home = tmp_path / "home"
    store = ensure_store(home, object_format)
    assert ensure_store(home, object_format) == store
    assert [entry.name for entry in home.iterdir()] == ["store.git"]
    assert not (store / "hooks").exists()


def test_private_objects_do_not_pile_up(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passdown.workspace.index._MANY_LOOSE", 0)
    place = find_place(repo.root)
    for number in range(3):
        for name in range(300):
            repo.write(f"d/{name}", f"{name} {number}\n")
        snapshot = take(place)
        assert read_path(place, snapshot.tree, "d/7") == f"7 {number}\n".encode()
    objects = place.home / "worktrees" / place.worktree_id / "git/objects"
    assert not list(objects.glob("[0-9a-f][0-9a-f]"))
    assert len(list(objects.glob("pack/*.pack"))) == 1
    keep(place, snapshot.tree)
    assert restore(place, snapshot.tree) == []
