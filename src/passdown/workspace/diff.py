"""What differs between two trees, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from passdown.workspace.place import Place

Status = Literal["added", "modified", "deleted", "mode", "type"]


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs; no renames. Line counts are None where not asked for or binary."""

    path: str
    status: Status
    added: int | None
    removed: int | None
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str


def tree_diff(place: Place, old: str, new: str, *, counts: bool = False) -> list[Change]:
    """Changes from ``old`` to ``new`` (tree or commit ids, "" is the empty tree), by path."""
    raise NotImplementedError


def patch(place: Place, old: str, new: str, paths: Sequence[str] = ()) -> bytes:
    """The unified diff for showing; foreign text."""
    raise NotImplementedError


def read_blob(place: Place, blob: str, limit: int | None = None) -> bytes:
    """The blob's bytes, at most ``limit`` of them; PassdownError where it is not here."""
    raise NotImplementedError


def read_path(place: Place, treeish: str, path: str) -> bytes | None:
    """The file's bytes in that tree or commit; None where it has no such file."""
    raise NotImplementedError


def list_tree(place: Place, tree: str) -> dict[str, tuple[str, str]]:
    """path -> (mode, blob id) of all files of the tree."""
    raise NotImplementedError
