"""Twenty lines, the last two say how to answer: what a reviewer misses least goes behind one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 18
_LEAST = (
    "Base", "Mind", "Unconfirmed", "Passes now", "Kind", "Reopened", "Note stands", "Guards", "Ran here", "Only said",
    "Stop if", "Owners", "Asked for", "Tests", "Edited since",
)  # fmt: skip
"""Rows that may go, the least missed first; goal, what is not so, what may be written and what undoes it stay."""
_FIRST_ALONE = ("Done when", "Not so", "Open", "Changed")
"""Rows of which the first line stays, where that is not enough."""


def fold(lines: Sequence[str], label: int) -> tuple[list[str], list[str]]:
    """The lines that stay, at most :data:`MOST` with one that names the rest, and those that went.

    ``label``: how wide a row's name is; a line without one belongs to the row above.
    """
    rows = _rows(lines, label)
    gone: list[tuple[str, list[str]]] = []
    for name in _LEAST:
        if _size(rows) + bool(gone) <= MOST:
            break
        gone += [row for row in rows if row[0] == name]
        rows = [row for row in rows if row[0] != name]
    for name in _FIRST_ALONE:
        if _size(rows) + bool(gone) <= MOST:
            break
        rest = [line for row in rows if row[0] == name for line in row[1]][1:]
        if rest:
            gone.append((name, rest))
            rows = _cut(rows, name)
    return [line for _, row in rows for line in row], [line for _, row in gone for line in row]


def _rows(lines: Sequence[str], label: int) -> list[tuple[str, list[str]]]:
    rows: list[tuple[str, list[str]]] = []
    for line in lines:
        name = line[:label].strip()
        if name or not rows:
            rows.append((name, [line]))
        else:
            rows[-1][1].append(line)
    return rows


def _cut(rows: Sequence[tuple[str, list[str]]], name: str) -> list[tuple[str, list[str]]]:
    """With that row's first line alone."""
    first = next(at for at, row in enumerate(rows) if row[0] == name)
    return [
        (row[0], row[1][:1]) if at == first else row for at, row in enumerate(rows) if row[0] != name or at == first
    ]


def _size(rows: Sequence[tuple[str, list[str]]]) -> int:
    return sum(len(row) for _, row in rows)
