"""Reading one JSON document, or lines of JSON, into typed values: what a reader does not name is never built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, TypeVar

import msgspec

T = TypeVar("T")
_LINE = 4 << 20


def load(file: BinaryIO, kind: type[T]) -> T | None:
    """The document as ``kind``; None where it is none (another shape, no JSON, nested too deep)."""
    try:
        return msgspec.json.decode(file.read().removeprefix(b"\xef\xbb\xbf"), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def lines(file: BinaryIO, kind: type[T]) -> Iterator[T]:
    """Each line that is a JSON object of ``kind``; anything else is another program's output."""
    decoder = msgspec.json.Decoder(kind)
    while line := file.readline(_LINE):
        if line.lstrip()[:1] != b"{":
            continue
        try:
            yield decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
