"""What a person answered to an edit that repeated misses proposed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field


class Learned(Struct, frozen=True, kw_only=True):
    """A person's answer to an edit that repeated misses proposed: taken, or refused for good.

    ``kind`` and ``subject`` name the cause, ``misses`` of ``chances`` what it was counted from; ``files`` that the edit
    went into, with ``text``.
    """

    kind: str
    subject: str
    answer: Literal["taken", "refused"]
    by: str
    misses: int
    chances: int
    because: str = ""
    files: list[str] = field(default_factory=list)
    text: str = ""
