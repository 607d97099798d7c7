"""Messages that stand twice: as an event, which is the reliable copy, and as a response item."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

Where = TypeVar("Where")


class Copies(Generic[Where]):
    """Decides which copy counts; items count only in a file that has no events of this kind."""

    def __init__(self) -> None:
        self.told = False  # by events
        self.held: list[tuple[str, Where]] = []
        self._taken: deque[str] = deque(maxlen=32)

    def event(self, text: str) -> bool:
        """Note an event; say whether its words are new."""
        self.told = True
        if self.held:
            self.held.clear()
        if not self._taken or text not in self._taken:
            return True
        self._taken.remove(text)
        return False

    def item(self, text: str, where: Where) -> None:
        """Note a response item; it waits for its event."""
        if not self.told:
            self.held.append((text, where))

    def due(self) -> list[tuple[str, Where]]:
        """Return the items whose event did not come, now that the conversation has gone on."""
        due, self.held = self.held, []
        self._taken.extend(text for text, _ in due)
        return due


class Pairs:
    """Counts what stands as a record and as an event, in either order, or as one of them alone."""

    def __init__(self) -> None:
        self._records = self._events = self._told = 0

    def record(self) -> bool:
        """Note the record; say whether it shows something new."""
        self._records += 1
        return self._new()

    def event(self) -> bool:
        """Note the event; say whether it shows something new."""
        self._events += 1
        return self._new()

    def _new(self) -> bool:
        new = max(self._records, self._events) > self._told
        self._told += new
        return new
