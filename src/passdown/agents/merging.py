"""Several files of one session, read in the order of their times."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class ByTime(Generic[T]):
    """Streams that wait for their time; each is in its own order, and is opened only when it is added."""

    def __init__(self) -> None:
        self.waiting: list[tuple[str, int, T, Iterator[tuple[str | None, T]]]] = []
        self._added = 0

    def add(self, items: Iterator[tuple[str | None, T]]) -> None:
        """Take in a stream of (ISO time, item); an item without a time follows the one before it."""
        self._added += 1
        self._push("", self._added, items)

    def before(self, at: str | None) -> Iterator[T]:
        """Yield what is due up to the time ``at``; all that is left where it is None."""
        while self.waiting and (at is None or self.waiting[0][0] <= at):
            time, order, item, rest = heapq.heappop(self.waiting)
            yield item
            self._push(time, order, rest)

    def _push(self, time: str, order: int, items: Iterator[tuple[str | None, T]]) -> None:
        found = next(items, None)
        if found is not None:
            heapq.heappush(self.waiting, (max(found[0] or "", time), order, found[1], items))
