"""The times that a transcript shows; the order of its lines is not the order of time."""

from __future__ import annotations


class Clock:
    """The smallest and the largest ISO time seen."""

    __slots__ = ("first", "last")

    def __init__(self) -> None:
        self.first: str | None = None
        self.last: str | None = None

    def see(self, at: str | None) -> None:
        """Note the time of a record; what is no time is passed over."""
        if at and at[0].isdigit():
            if self.last is None or at > self.last:
                self.last = at
            if self.first is None or at < self.first:
                self.first = at
