"""Caches that tools leave in the worktree: nobody's change as long as neither a commit nor the index holds them."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from passdown.rules.leftovers import leftover
from passdown.workspace import diff
from passdown.workspace.diff import Change
from passdown.workspace.git import Git, zsplit
from passdown.workspace.place import Place


def apart(place: Place, changes: Sequence[Change], touched: Collection[str] = ()) -> tuple[list[Change], list[Change]]:
    """``(to be judged, generated)``; what commits or the index changed (``touched``) is judged whatever it is."""
    free = generated(place, [change.path for change in changes if change.path not in touched])
    return [c for c in changes if c.path not in free], [c for c in changes if c.path in free]


def generated(place: Place, paths: Sequence[str]) -> set[str]:
    """Those of the paths that only a tool's run made; git is asked where a name looks like it."""
    likely = {path for path in paths if leftover(path)}
    return likely - _held(place) if likely else set()


def _held(place: Place) -> set[str]:
    """What HEAD or the index lists."""
    index = Git(place.root, {"GIT_DIR": str(place.git_dir), "GIT_WORK_TREE": str(place.root)})
    staged = {os.fsdecode(path) for path in zsplit(index.run("ls-files", "-z", "--cached"))}
    return staged | (diff.list_tree(place, place.head).keys() if place.head else set())
