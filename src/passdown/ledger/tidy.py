"""Housekeeping under ``flush.lock``: loose objects into a pack, and what killed processes left behind."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from passdown.workspace.git import GitError
from passdown.workspace.store_git import store_git

_LOOSE = 12
"""Entries in one of the 256 folders of loose objects: some three thousand in all."""
_LEFT_SECONDS = 3600.0


def tidy(home: Path, store: Path) -> None:
    """Cheap unless thousands of loose objects have gathered. Nothing that a ref reaches, or may soon reach, goes."""
    if _entries(store / "objects" / "17") < _LOOSE:
        return
    with contextlib.suppress(GitError, OSError):  # it is tried again after the next flush
        store_git(store).run("repack", "-d", "-l", "-q")
        for path in _left_behind(home, store):
            if time.time() - path.lstat().st_mtime > _LEFT_SECONDS:
                path.unlink()


def _entries(folder: Path) -> int:
    try:
        return sum(1 for _ in folder.iterdir())
    except OSError:
        return 0


def _left_behind(home: Path, store: Path) -> Iterator[Path]:
    """Temporary files of processes that died (H5)."""
    for folder, pattern in (
        (store / "objects" / "pack", "tmp_*"),
        (store / "objects", "??/tmp_obj_*"),
        (store, "fast_import_crash_*"),
        (home, "tips.????????????????"),
        (home, "writer.????????????????"),
    ):
        yield from folder.glob(pattern)
