"""Marks that a file or folder carries when somebody wrote it, put back or not."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

Stamps = dict[str, os.stat_result]
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
        with suppress(OSError):
            found[path] = os.lstat(above + path)
    return found


def touched(root: Path, before: Stamps) -> list[str]:
    """Files that were written since, and folders that were moved away and back, sorted."""
    above = f"{root}/"
    found = []
    for path, old in before.items():
        try:
            new = os.lstat(above + path)
        except OSError:
            found.append(path)
            continue
        if (old.st_ctime_ns, old.st_mtime_ns, old.st_ino) != (new.st_ctime_ns, new.st_mtime_ns, new.st_ino):
            found += [path] if _differs(old, new) else []
        elif old.st_size != new.st_size and not stat.S_ISDIR(new.st_mode):
            found.append(path)
    return sorted(found)


def newest(found: Stamps) -> float:
    """When the last of them was written, in seconds since 1970; nobody can set this time."""
    return max((stamp.st_ctime_ns for stamp in found.values()), default=0) / 1e9


def settle(root: Path, found: Stamps) -> Stamps:
    """Wait out the tick of the last write, so that a later one cannot carry the same time."""
    left = newest(found) + TICK - time.time()
    if left <= 0:
        return found
    time.sleep(min(left, TICK))
    return stamps(root, found)


def _differs(old: os.stat_result, new: os.stat_result) -> bool:
    """A folder counts where it is another one, or was renamed: ctime moved while its entries (mtime) did not."""
    if not (stat.S_ISDIR(old.st_mode) and stat.S_ISDIR(new.st_mode)):
        return True
    return old.st_ino != new.st_ino or (old.st_ctime_ns != new.st_ctime_ns and old.st_mtime_ns == new.st_mtime_ns)
