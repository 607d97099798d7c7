"""A boundary in a few lines."""

from __future__ import annotations

from passdown.cli.output import plain
from passdown.model.boundary import Boundary, Entry
from passdown.packet.text import place_of
from passdown.rules.amount import amount

_SHOWN = 12


def rows(boundary: Boundary) -> list[str]:
    """``Next may write`` and ``Not``, a path and its reason on each line; the budget after them."""
    lines = _block("Next may write", boundary.allow) or ["Next may write  nothing"]
    limits = budget(boundary)
    if limits:
        lines.append(f"{'':<16}{limits}")
    lines += _block("Not", boundary.deny)
    lines.append(f"{'' if boundary.deny else 'Not':<16}anything else")
    return lines


def source(boundary: Boundary) -> str:
    """Who decided it, in words: proposed, set by hand, reviewed."""
    return "set by hand" if boundary.source == "hand" else boundary.source


def budget(boundary: Boundary) -> str:
    """The budget in words, "" where there is none."""
    limit = boundary.budget
    parts = [
        f"+{amount(limit.new, 'new file')} beside them" if limit.new and boundary.allow else "",
        f"at most {amount(limit.files, 'file')}" if limit.files is not None else "",
        f"at most {amount(limit.lines, 'line')}" if limit.lines is not None else "",
    ]
    return ", ".join(part for part in parts if part)


def _block(label: str, entries: list[Entry]) -> list[str]:
    width = min(max((len(place_of(e)) for e in entries), default=0), 40)
    lines = [
        f"{label if i == 0 else '':<16}{e.id:<3} {place_of(e):<{width}}  {plain(e.because)}".rstrip()
        for i, e in enumerate(entries[:_SHOWN])
    ]
    if len(entries) > _SHOWN:
        lines.append(f"{'':<16}... {len(entries) - _SHOWN} more: passdown boundary show --json")
    return lines
