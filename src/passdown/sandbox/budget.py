"""How much may come out of one sandbox: neither a flood nor, over hours, a full disk."""

from __future__ import annotations

from passdown.sandbox.messages import Asked, Kept, Message

_MB = 1_000_000


class Bucket:
    """Tokens that come back with time: ``size`` at once, then ``rate`` a second."""

    def __init__(self, size: float, rate: float) -> None:
        self._size = self._left = size
        self._rate = rate
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Take one; False where none is left. ``now``: seconds of a clock that never goes back."""
        elapsed = now - self._at if self._at is not None else 0.0
        self._left = min(self._size, self._left + elapsed * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Budget:
    """One run's: by kind of message a bucket, and bytes for the whole run."""

    def __init__(self) -> None:
        self._asks = Bucket(60, 2)
        self._calls = Bucket(120, 5)
        self._lines = Bucket(2000, 100)
        self._bytes = {Asked: 8 * _MB, Kept: 32 * _MB}

    def refuses(self, message: Message, size: int, now: float) -> str:
        """Why this message is left out, "" where it is not."""
        bucket = self._asks if isinstance(message, Asked) else self._lines if isinstance(message, Kept) else self._calls
        if not bucket.take(now):
            return "too many at once: wait a moment"
        left = self._bytes.get(type(message))
        if left is not None:
            if size > left:
                return "this run has said as much as one run may"
            self._bytes[type(message)] = left - size
        return ""
