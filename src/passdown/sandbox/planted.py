"""Symbolic links that were put into git's folder: git would write through them, later and outside."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator

_OURS = "passdown"


def links(common: str) -> set[str]:
    """The links below git's folder, relative to it."""
    return {path for path, _, _ in _each(common)}


def remove(common: str, known: Collection[str]) -> list[str]:
    """Take away those that were not known before; which they were."""
    gone = []
    for path, name, folder in _each(common):
        if path not in known:
            os.fchmod(
                folder, stat.S_IMODE(os.fstat(folder).st_mode) | stat.S_IRWXU
            )  # it may have been closed on purpose
            os.unlink(name, dir_fd=folder)
            gone.append(path)
    return gone


def _each(common: str) -> Iterator[tuple[str, str, int]]:
    """``(path, name, the open folder it lies in)``: no link is followed on the way."""
    for place, folders, files, here in os.fwalk(common, follow_symlinks=False):
        below = os.path.relpath(place, common)
        for name in [*folders, *files]:
            try:
                found = os.stat(name, dir_fd=here, follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISLNK(found.st_mode):
                yield os.path.normpath(os.path.join(below, name)), name, here
        folders[:] = [name for name in folders if (below, name) != (".", _OURS)]
