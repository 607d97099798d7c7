"""Marks that a file or folder carries when somebody wrote it, put back or not."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path

Stamps = dict[str, tuple[int, ...]]
TICK = 0.01
"""Seconds in which two writes may carry one time (a kernel tick is up to 10 ms)."""


def stamps(root: Path, paths: Iterable[str]) -> Stamps:
    """Of input files and the folders above them, links not followed; what is not there has none."""
    wanted = set(paths)
    folders = {path.rpartition("/")[0] for path in wanted}
    while folders := {folder for folder in folders if folder} - wanted:
        wanted |= folders
        folders = {folder.rpartition("/")[0] for folder in folders}
    found: Stamps = {}
    above = f"{root}/"
    for path in wanted:
        try:
            seen = os.lstat(above + path)
        except OSError:
            continue
        marks = (seen.st_ino, seen.st_ctime_ns, seen.st_mtime_ns)
        found[path] = marks if stat.S_ISDIR(seen.st_mode) else (*marks, seen.st_size)
    return found


def touched(before: Stamps, after: Stamps) -> list[str]:
    """Files that were written, and folders that were moved away and back, sorted."""
    if before == after:
        return []
    return sorted(path for path in before.keys() | after.keys() if _differs(before.get(path), after.get(path)))


def newest(found: Stamps) -> float:
    """When the last of them was written, in seconds since 1970; nobody can set this time."""
    return max((stamp[1] for stamp in found.values()), default=0) / 1e9


def settle(root: Path, found: Stamps) -> Stamps:
    """Wait out the tick of the last write, so that a later one cannot carry the same time."""
    left = newest(found) + TICK - time.time()
    if left <= 0:
        return found
    time.sleep(min(left, TICK))
    return stamps(root, found)


def _differs(old: tuple[int, ...] | None, new: tuple[int, ...] | None) -> bool:
    """A folder counts where it is another one, or was renamed: ctime moved while its entries (mtime) did not."""
    if old is None or new is None or len(old) != len(new) or len(old) > 3:  # noqa: PLR2004 - files have a size
        return old != new
    return old[0] != new[0] or (old[1] != new[1] and old[2] == new[2])
