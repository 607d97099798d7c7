"""Keep the present state before anything could destroy it, and put a kept state back."""

from __future__ import annotations

from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot


def rescue(place: Place) -> Snapshot:
    """Snapshot the worktree and keep it in store.git."""
    raise NotImplementedError


def restore(place: Place, tree: str) -> list[str]:
    """Make the worktree's content the tree's; the paths that still differ ([]: proven equal).

    Rescues first. HEAD, index, branches, stash and ignored files stay as they are.
    """
    raise NotImplementedError
