"""Reads a check's declared report; one reader a format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from passdown.checks.reports import json_report, junit

MAX_BYTES = 64 << 20


class Summary(Struct, frozen=True):
    """``tests``: passed, failed, skipped, errors; ``failing``: id -> first error line."""

    tests: Mapping[str, int]
    failing: Mapping[str, str] = field(default_factory=dict)


Stamp = tuple[int, int, int, int]


def stamp(path: Path) -> Stamp | None:
    """What changes when the file is written anew; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def read(path: Path) -> Summary | None:
    """The report's numbers; None where it is too large or no known format."""
    if path.stat().st_size > MAX_BYTES:
        return None
    data = path.read_bytes()
    found = junit.read(data) if data.lstrip()[:1] == b"<" else json_report.read(data)
    return None if found is None else Summary(*found)
