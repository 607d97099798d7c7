"""Reading JSON that others wrote: a value of the type asked for, or None; never an exception of the decoder's."""

from __future__ import annotations

from typing import TypeVar

import msgspec

T = TypeVar("T")


def decode(data: bytes, type: type[T]) -> T | None:  # noqa: A002 - msgspec's word
    """The value; None where the bytes are no such JSON, or nest too deep to be read."""
    try:
        return msgspec.json.decode(data, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
