"""Restoring: exact where it can be, and never at the cost of something that nobody kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from passdown.errors import PassdownError
from passdown.workspace.diff import list_tree
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import kept, take

if TYPE_CHECKING:
    from pathlib import Path

    from support.repo import Repo


def test_everything_comes_back(repo: Repo) -> None:
    """D10."""
    repo.write("d/a", "a\n").executable("d/a").link("l", "d/a").write("e/f/g", "g\n").commit()
    repo.write("untracked", "u\n").append("README.md", "more\n")
    place = find_place(repo.root)
    goal = rescue(place)
    repo.git("stash", "-q", "-u")
    repo.write("d/a", "other\n").delete("l").write("l", "a file now\n")
    repo.run("rm", "-r", "e").check()
    repo.write("e", "a file now\n").write("new/deep/file", "n\n")
    present = take(place)
    stash, head, branch = repo.git("stash", "list"), repo.head, repo.git("branch", "--show-current")
    assert restore(place, goal.tree) == []
    assert take(place).tree == goal.tree
    assert kept(place, present.tree)
    assert not repo.path("new").exists()
    assert os.access(repo.path("d/a"), os.X_OK)
    assert (repo.git("stash", "list"), repo.head, repo.git("branch", "--show-current")) == (stash, head, branch)


def test_ignored_files_are_never_touched(repo: Repo) -> None:
    repo.write("local.cfg", "old and tracked by nobody\n").write("d/x", "x\n")
    place = find_place(repo.root)
    goal = rescue(place)
    repo.write(".gitignore", "local.cfg\nd/cache\n").stage(".gitignore").write("local.cfg", "precious\n")
    repo.path("d/x").unlink()
    repo.write("d/cache", "precious too\n")
    assert "local.cfg" not in list_tree(place, take(place).tree)
    residue = restore(place, goal.tree)
    assert repo.read("local.cfg") == "precious\n"
    assert repo.read("d/cache") == "precious too\n"
    assert residue == ["d/cache", "local.cfg"]


def test_no_write_and_no_deletion_goes_through_a_symlink(repo: Repo, tmp_path: Path) -> None:
    """L3."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("outside\n")
    repo.write("d/a", "inside\n").write("d/b", "inside\n").commit()
    place = find_place(repo.root)
    goal = rescue(place)
    repo.run("rm", "-r", "d").check()
    repo.write(".gitignore", "d\n").stage(".gitignore").git("rm", "-rq", "--cached", "d")
    repo.link("d", str(outside))
    residue = restore(place, goal.tree)
    assert (outside / "a").read_text() == "outside\n"
    assert sorted(entry.name for entry in outside.iterdir()) == ["a"]
    assert residue != []
    repo.path(".gitignore").unlink(missing_ok=True)
    assert restore(place, goal.tree) == []
    assert (outside / "a").read_text() == "outside\n"
    assert repo.read("d/b") == "inside\n"


def test_a_hard_link_is_broken_not_written_through(repo: Repo, tmp_path: Path) -> None:
    place = find_place(repo.root)
    goal = rescue(place)
    repo.path("README.md").unlink()
    (tmp_path / "other").write_text("elsewhere\n")
    repo.path("README.md").hardlink_to(tmp_path / "other")
    assert restore(place, goal.tree) == []
    assert (tmp_path / "other").read_text() == "elsewhere\n"


def test_a_tree_that_is_not_here_changes_nothing(repo: Repo) -> None:
    repo.append("README.md", "more\n")
    place = find_place(repo.root)
    before = take(place)
    with pytest.raises(PassdownError, match="not in this clone"):
        restore(place, "0" * 39 + "1")
    assert take(place) == before


def test_a_partial_sparse_clone_can_be_kept(repo: Repo, tmp_path: Path) -> None:
    repo.write("in/x", "x\n").write("out/y", "y\n").commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    repo.run("git", "clone", "-q", "--filter=blob:none", "--sparse", f"file://{repo.root}", str(clone)).check()
    place = find_place(clone)
    snapshot = rescue(place)
    assert kept(place, snapshot.tree)
    assert snapshot.commit_tree == repo.git("rev-parse", "HEAD^{tree}")
    (clone / "README.md").write_text("changed\n")
    assert restore(place, snapshot.tree) == []


def test_a_git_dir_inside_the_worktree_is_no_content(repo: Repo) -> None:
    repo.git("init", "-q", f"--separate-git-dir={repo.root / 'store'}")
    place = find_place(repo.root)
    assert set(list_tree(place, take(place).tree)) == {"README.md"}
    assert take(place) == take(place)
