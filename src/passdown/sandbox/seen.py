"""That the sandbox stands as it was planned: something may move folders about while bubblewrap mounts them.

A second sandbox of the same worktree is set up while an agent works in the first: it could put a link in a folder's
place. So each mount's folder is known by its number before, and looked at from inside after. Standard library alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

Known = tuple[str, int, int, bool]
"""A path, its device and inode, whether it may be written."""


def known(writable: Iterable[str], read_only: Iterable[str]) -> list[Known]:
    """The places as they are now; OSError where one is reached through a link, or is gone."""
    found: list[Known] = []
    for paths, may in ((writable, True), (read_only, False)):
        for path in paths:
            there = _opened(path)
            seen = os.fstat(there)
            os.close(there)
            found.append((path, seen.st_dev, seen.st_ino, may))
    return found


def changed(places: Iterable[Known]) -> str:
    """The first place that is another one now, or can be written and must not; "" where all is as it was."""
    for path, device, inode, may in places:
        try:
            there = _opened(path)
        except OSError:
            return path
        seen, mounted = os.fstat(there), os.fstatvfs(there)
        os.close(there)
        if (seen.st_dev, seen.st_ino) != (device, inode) or not (may or mounted.f_flag & os.ST_RDONLY):
            return path
    return ""


def _opened(path: str) -> int:
    """A descriptor of the place; no link on the way is followed."""
    here = os.open("/", os.O_PATH | os.O_CLOEXEC)
    for part in filter(None, path.split("/")):
        above = here
        try:
            here = os.open(part, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        finally:
            os.close(above)
        if stat.S_ISLNK(os.fstat(here).st_mode):
            os.close(here)
            raise NotADirectoryError(path)
    return here
