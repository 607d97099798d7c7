"""The user's `.git` is byte for byte as it was, whatever Passdown did: all but its own folder."""

# ruff: noqa: PTH118, PTH123 - paths are bytes here, which pathlib does not take

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from passdown.workspace import diff, history
from passdown.workspace.control import control_parts
from passdown.workspace.place import find_place
from passdown.workspace.rescue import rescue, restore
from passdown.workspace.snapshot import keep, take

if TYPE_CHECKING:
    from pathlib import Path

    from support.repo import Repo


def fingerprint(git_dir: Path) -> dict[str, tuple[str, int, int]]:
    """Path -> content, mode and mtime of everything under the git dir, our own folder aside."""
    found = {}
    for folder, folders, files in os.walk(git_dir):
        if "passdown" in folders:
            folders.remove("passdown")
        for name in folders + files:
            path = os.path.join(folder, name)
            seen = os.lstat(path)
            digest = ""
            if name in files:
                with open(path, "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
            found[path] = (digest, seen.st_mode, 0 if name in folders else seen.st_mtime_ns)
    return found


def test_nothing_in_the_users_git_dir_changes(repo: Repo) -> None:
    repo.write("a.py", "a\n").write("b.py", "b\n").write(".gitattributes", "*.txt text=auto\n").commit("More")
    repo.remote()
    repo.branch("work").write("c.txt", "c\r\n").commit("Work")
    repo.write("stashed", "s\n").git("stash", "-q", "-u")
    sub = repo.nested("inner").write("x", "x\n").commit("Inner")
    repo.write("staged", "staged\n").stage("staged").append("a.py", "more\n").write("new", "new\n")
    status = repo.git("status", "--porcelain")
    before = fingerprint(repo.root / ".git"), fingerprint(sub.root / ".git")

    place = find_place(repo.root)
    first = rescue(place)
    repo.append("a.py", "even more\n").delete("b.py").write("inner/y", "y\n")
    second = take(place)
    keep(place, second.tree)
    diff.tree_diff(place, first.tree, second.tree, counts=True)
    diff.patch(place, place.head or "", second.tree)
    history.base(place, "main")
    history.head_at(place, "2100-01-01T00:00:00+00:00")
    history.on_remote(place, place.head or "")
    control_parts(place)
    assert restore(place, first.tree) == []

    after = fingerprint(repo.root / ".git"), fingerprint(sub.root / ".git")
    assert {
        path for a, b in zip(before, after, strict=True) for path in a.keys() | b.keys() if a.get(path) != b.get(path)
    } == set()
    assert repo.git("status", "--porcelain") == status
    assert repo.git("stash", "list").count("\n") == 0


def test_reading_creates_nothing(repo: Repo) -> None:
    place = find_place(repo.root)
    diff.tree_diff(place, "", place.head or "")
    history.base(place, None)
    control_parts(place)
    assert not place.home.exists()
