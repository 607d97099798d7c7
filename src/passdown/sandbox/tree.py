"""Which mounts make one folder tree writable where it may be, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct, field

from passdown.sandbox.plan import Mount, fold

Tree = Mapping[str, Sequence["Entry"]]
"""Folder (relative, "" the root) -> what lies in it. A folder that is no key was not looked into."""


class Entry(Struct, frozen=True):
    """One name in a folder; ``links``: how many hard links a file has."""

    name: str
    kind: Literal["folder", "file", "link", "other"]
    links: int = 1


class May(Protocol):
    """What may be written in the tree; paths are relative to its root."""

    def file(self, path: str) -> bool:
        """Whether this file may change."""

    def holds(self, folder: str, files: Sequence[str]) -> bool:
        """Whether files of this folder, these or new ones, may change."""


class Cut(Struct, frozen=True):
    """The mounts of one tree; ``loose`` folders and ``links`` as in a plan, absolute."""

    mounts: list[Mount]
    loose: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


def cut(root: str, tree: Tree, may: May, room: int) -> Cut:
    """Mounts below and at ``root``, with at most ``room`` for single files."""
    closed: dict[str, list[str]] = {}
    links: list[str] = []
    _close(tree, may, closed, links)
    loose = fold(closed, room)
    for folder in loose:
        del closed[folder]
    mounts = _visit("", tree, may, closed, outer=None)
    return Cut(
        [Mount(_at(root, mount.path), mount.kind) for mount in mounts],
        [_at(root, folder) for folder in loose],
        [_at(root, link) for link in links],
    )


def _close(tree: Tree, may: May, closed: dict[str, list[str]], links: list[str]) -> None:
    """By folder the files in writable ones that must not change, and the links that cannot be held.

    A file with a second name is closed even if it may change: what is written here changes it there too.
    """
    for folder, entries in tree.items():
        if not _writable(folder, tree, may):
            continue
        for entry in entries:
            path = _at(folder, entry.name)
            if entry.kind == "file" and (entry.links > 1 or not may.file(path)):
                closed.setdefault(folder, []).append(path)
            elif entry.kind == "link" and not may.file(path):
                links.append(path)


def _visit(
    folder: str, tree: Tree, may: May, closed: Mapping[str, Sequence[str]], *, outer: bool | None
) -> list[Mount]:
    """The folder's own mount where it needs one, then those below. ``outer``: whether the mount around is writable.

    A writable folder above a mount is a mount itself: else it could be moved away with what it holds, and made anew.
    """
    writable = _writable(folder, tree, may)
    inner = [Mount(path, "read-only") for path in closed.get(folder, ())]
    for entry in tree.get(folder, ()):
        if entry.kind == "folder":
            inner += _visit(_at(folder, entry.name), tree, may, closed, outer=writable)
    if writable != outer or (writable and inner):
        return [Mount(folder, "writable" if writable else "read-only"), *inner]
    return inner


def _writable(folder: str, tree: Tree, may: May) -> bool:
    entries = tree.get(folder)
    if entries is None:
        return False
    return may.holds(folder, [entry.name for entry in entries if entry.kind != "folder"])


def _at(folder: str, name: str) -> str:
    if not name:
        return folder
    return f"{folder}/{name}" if folder else name
