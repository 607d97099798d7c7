"""A folder tree as it is on the disk, without following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from passdown.sandbox.tree import Entry


def read_tree(root: str, reaches: Callable[[str], bool]) -> dict[str, list[Entry]]:
    """Folder -> its entries, for the root and the folders that ``reaches``; one that cannot be read is left out."""
    tree: dict[str, list[Entry]] = {}
    pending = [""]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as names:
                tree[folder] = sorted((_entry(each) for each in names), key=lambda entry: entry.name)
        except OSError:
            continue
        below = [f"{folder}/{e.name}" if folder else e.name for e in tree[folder] if e.kind == "folder"]
        pending += [path for path in below if reaches(path)]
    return tree


def _entry(found: os.DirEntry[str]) -> Entry:
    try:
        seen = found.stat(follow_symlinks=False)
    except OSError:
        return Entry(found.name, "other")
    if stat.S_ISDIR(seen.st_mode):
        return Entry(found.name, "folder")
    if stat.S_ISLNK(seen.st_mode):
        return Entry(found.name, "link")
    return Entry(found.name, "file" if stat.S_ISREG(seen.st_mode) else "other", seen.st_nlink)
