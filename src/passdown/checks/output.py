"""A check's output as it streams by: its digest, its size, and its end as plain text."""

from __future__ import annotations

import hashlib
import re
from collections import deque
from typing import Protocol

from msgspec import Struct, field

from passdown.rules.patterns import lazy

KEPT = 512 << 10
"""Bytes kept for reading counts and failures."""
LINES, BYTES, WIDTH = 60, 8 << 10, 500
"""The tail of a record: lines, bytes, characters a line."""
_ESCAPE = lazy(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X].*?(?:\x1b\\|\x07|$)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]", re.MULTILINE
)


class Sink(Protocol):
    """Where output is shown as it comes."""

    def write(self, data: bytes, /) -> object:
        """Show."""

    def flush(self) -> object:
        """Show at once."""


class Output(Struct):
    """Flat in memory whatever is printed."""

    live: Sink | None = None
    size: int = 0
    _sha: hashlib._Hash = field(default_factory=hashlib.sha256)
    _kept: deque[bytes] = field(default_factory=deque)
    _kept_size: int = 0

    def feed(self, data: bytes) -> None:
        """Take the next piece; a reader of ``live`` that went away is let go."""
        self.size += len(data)
        self._sha.update(data)
        self._kept.append(data)
        self._kept_size += len(data)
        while self._kept_size - len(self._kept[0]) >= KEPT:
            self._kept_size -= len(self._kept.popleft())
        if self.live is not None:
            try:
                self.live.write(data)
                self.live.flush()
            except BrokenPipeError:
                self.live = None

    @property
    def whole(self) -> bool:
        """Whether all of it was kept."""
        return self.size == self._kept_size <= KEPT

    @property
    def digest(self) -> str:
        """Sha256 hex of all of it."""
        return self._sha.hexdigest()

    def end(self) -> str:
        """The last part as plain text: no escape codes, no control characters, overwritten lines as they ended."""
        return plain(b"".join(self._kept)[-KEPT:])


def plain(data: bytes) -> str:
    """Text that is safe to print anywhere."""
    text = _ESCAPE.sub("", data.decode("utf-8", "replace").replace("\r\n", "\n"))
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return "\n".join("".join(c for c in line if c.isprintable() or c == "\t") for line in lines)


def tail(text: str) -> str:
    """The last lines for a record; what was cut is marked."""
    lines = [line if len(line) <= WIDTH else f"{line[:WIDTH]}…" for line in text.rstrip().split("\n")[-LINES:]]
    while len(lines) > 1 and len("\n".join(lines).encode("utf-8", "replace")) > BYTES:
        lines.pop(0)
    return "\n".join(lines)
