"""ANSI colours for the labels at the beginning of lines; what follows a label stays as it is."""

from __future__ import annotations

from collections.abc import Iterable

_BAD, _GOOD, _STRONG = "31;1", "32", "1"
LABELS = {
    "SAID, NOT SO": _BAD,
    "Goal   not known": _BAD,
    "OUTSIDE": _BAD,
    "TESTS CHANGED": _BAD,
    "HOLD": _BAD,
    "PASSES ON THIS CODE": _GOOD,
    "HANDOFF": _STRONG,
    "OPEN": _STRONG,
    "NEXT MAY WRITE": _STRONG,
    "NOT IN THE GOAL": _STRONG,
    "NOT": _STRONG,
    "WATCH": _STRONG,
    "GO": _GOOD,
}


def paint(lines: Iterable[str], *, colour: bool) -> list[str]:
    """The lines with their labels coloured, or unchanged."""
    return [_one(line) for line in lines] if colour else list(lines)


def _one(line: str) -> str:
    for label, code in LABELS.items():
        rest = line.removeprefix(label)
        if rest != line and not rest[:1].isalnum():
            return f"\x1b[{code}m{label}\x1b[0m{rest}"
    return line
