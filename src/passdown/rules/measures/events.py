"""What happened when, in order, so that any stretch of time is a slice of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Generic, TypeVar

from msgspec import Struct

from passdown.rules.measures.window import Window

T = TypeVar("T")


class Events(Struct, Generic[T], frozen=True):
    """``when`` in seconds since 1970, ascending; ``what`` happened then."""

    when: list[float]
    what: list[T]

    def within(self, window: Window) -> Sequence[T]:
        """What happened in it."""
        first = 0 if window.start is None else bisect_right(self.when, window.start)
        return self.what[first : bisect_right(self.when, window.end)]


def in_order(pairs: Iterable[tuple[float | None, T]]) -> Events[T]:
    """Of (when, what) in any order; what has no instant is left out."""
    timed = [(when, what) for when, what in pairs if when is not None]
    timed.sort(key=itemgetter(0))
    return Events([when for when, _ in timed], [what for _, what in timed])
