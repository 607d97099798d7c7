"""The first and the last lines of a file, without reading what lies between."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

from passdown.agents.lines import ZSTD_MAGIC, lines
from passdown.workspace.moment import written

END = 64 * 1024
MOST = 16 * 1024 * 1024
KEPT = 64  # lines, of a compressed file, which has no end to jump to


def ends(path: Path) -> tuple[bytes, bytes]:
    """Return the whole lines at the beginning and those at the end of a file; the same ones where it is short.

    OSError where it cannot be read.
    """
    must_end(path)
    with path.open("rb") as stream:
        start = stream.read(END)
        if start.startswith(ZSTD_MAGIC):
            return _packed(path)
        size = os.fstat(stream.fileno()).st_size
        if size <= END:
            return start, start
        while b"\n" not in start and len(start) < min(size, MOST):
            start += stream.read(len(start))
        reach, last = END, b""
        while last.count(b"\n") < 2 and reach <= min(size, MOST):  # noqa: PLR2004 - a whole line between two cut ones
            stream.seek(-min(reach, size), os.SEEK_END)
            last = stream.read(reach)
            reach *= 4
    return start.rpartition(b"\n")[0] or start, last.partition(b"\n")[2]


def must_end(path: Path) -> None:
    """OSError where no file stands there: a pipe or a device may never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)


def _packed(path: Path) -> tuple[bytes, bytes]:
    start: list[bytes] = []
    last: deque[bytes] = deque(maxlen=KEPT)
    for _, data, _ in lines(path):
        if len(start) < KEPT:
            start.append(data)
        last.append(data)
    return b"".join(start), b"".join(last)


def modified(path: Path) -> str:
    """Return the time of the file itself, for a transcript without times."""
    return written(datetime.fromtimestamp(path.stat().st_mtime, UTC))
