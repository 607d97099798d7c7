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
        if at and "0" <= at < ":":  # the character after 9
            if self.last is None or self.first is None:
                self.first = self.last = at
            elif at > self.last:
                self.last = at
            elif at < self.first:
                self.first = at
