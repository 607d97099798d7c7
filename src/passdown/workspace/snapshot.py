"""The exact content of one worktree, as a tree id."""

from __future__ import annotations

from dataclasses import dataclass, field

from passdown.workspace.place import Place


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the worktree held: see semantics, "Snapshot"."""

    tree: str
    commit_tree: str | None
    control: str
    nested: dict[str, str] = field(default_factory=dict)
    hidden: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def take(place: Place) -> Snapshot:
    """Snapshot the worktree as it is now."""
    raise NotImplementedError


def keep(place: Place, tree: str) -> None:
    """Copy the tree's whole closure into store.git and hold it there by a ref; idempotent."""
    raise NotImplementedError


def kept(place: Place, tree: str) -> bool:
    """Is the tree held in store.git?"""
    raise NotImplementedError
