"""A number and what it counts, as every screen says it."""

from __future__ import annotations


def amount(number: int, noun: str, many: str | None = None) -> str:
    """``1 file``, ``2 files``, ``1,200 files``; ``many`` is the plural where an s is not enough."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"
