"""The first and the last lines of a file, without reading what lies between."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from passdown.agents.lines import ZSTD_MAGIC, lines

END = 64 * 1024
MOST = 16 * 1024 * 1024


def ends(path: Path) -> tuple[list[bytes], list[bytes]]:
    """Return the lines at the beginning and at the end of a file, whole ones alone; the same ones where it is short.

    OSError where it cannot be read.
    """
    with path.open("rb") as stream:
        start = stream.read(END)
        if start.startswith(ZSTD_MAGIC):
            packed = [data for _, data, _ in lines(path)]
            return packed[:64], packed[-64:]
        size = os.fstat(stream.fileno()).st_size
        if size <= END:
            whole = start.split(b"\n")
            return whole, whole
        while b"\n" not in start and len(start) < min(size, MOST):
            start += stream.read(len(start))
        reach, last = END, [b""]
        while len(last) < 3 and reach <= min(size, MOST):  # noqa: PLR2004 - one whole line between two that may be cut
            stream.seek(-min(reach, size), os.SEEK_END)
            last = stream.read(reach).split(b"\n")
            reach *= 4
    return start.split(b"\n")[:-1] or [start], last[1:]


def modified(path: Path) -> str:
    """Return the time of the file itself, for a transcript without times."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
