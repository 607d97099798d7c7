"""Which commands can destroy work, so that it is rescued first."""

from __future__ import annotations

import pytest

from passdown.rules.destructive import destroys, shares_stash

DESTROYS = [
    "git reset --hard",
    "git reset --hard origin/main",
    "git -C sub reset --hard",
    "git checkout -- a.py",
    "git checkout .",
    "git checkout -f main",
    "git switch --discard-changes main",
    "git restore a.py",
    "git restore --staged --worktree a.py",
    "git clean -fd",
    "git clean --force",
    "git stash",
    "git stash pop",
    "git stash drop",
    "git rm -r src",
    "git branch -D feature",
    "git worktree remove --force ../x",
    "git gc --prune=now",
    "git reflog expire --expire=now --all",
    "git filter-branch --all",
    "git read-tree -u --reset HEAD",
    "sudo git reset --hard",
    "rm -rf .",
    "rm -r ./*",
    "rm -rf .git",
]
KEEPS = [
    "git status",
    "git reset HEAD a.py",
    "git reset --soft HEAD~1",
    "git checkout main",
    "git checkout -b new",
    "git restore --staged a.py",
    "git clean -nd",
    "git clean -fdn",
    "git stash list",
    "git stash show -p",
    "git rm --cached a",
    "git branch -d merged",
    "git worktree add ../x",
    "git gc",
    "git reflog",
    "git log --all",
    "rm a.py",
    "rm -rf build",
    "echo git reset --hard",
    "git",
    "",
]


@pytest.mark.parametrize("line", DESTROYS)
def test_what_destroys(line):
    assert destroys(line.split())


@pytest.mark.parametrize("line", KEEPS)
def test_what_keeps(line):
    assert destroys(line.split()) is None


@pytest.mark.parametrize(("line", "shared"), [("git stash", True), ("git stash pop", True), ("git stash list", False)])
def test_the_stash_belongs_to_all_worktrees(line, shared):  # G5
    assert shares_stash(line.split()) is shared
