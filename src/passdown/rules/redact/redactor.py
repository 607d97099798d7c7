"""The one object that every writer of records and text passes its text through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Redactor:
    """Replaces secrets by ``[redacted:<rule>:<8 hex>]``; equal values under one salt give equal markers.

    ``extra`` are the policy's regular expressions; a bad one raises ``PassdownError``.
    """

    def __init__(self, extra: Iterable[str] = (), salt: bytes = b"") -> None:
        self.counts: Counter[str] = Counter()

    def text(self, s: str) -> str:
        """``s`` without its secrets; idempotent."""
        raise NotImplementedError

    def value(self, obj: T) -> T:
        """A Struct, dataclass or JSON value of the same shape, with every string in it redacted."""
        raise NotImplementedError
