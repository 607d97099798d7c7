"""A person's own words on a few lines: whatever else is cut, what they forbid is not."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.packet.text import folded, plain, quote
from passdown.rules.forbidden import conditions

LINES = 2
"""What a text gets unasked; one that forbids something further on gets as many as that takes."""
WHOLE = 4
_LONG = 240
_GAP = " ... "


def asked(label: str, text: str, forbidden: Sequence[str], width: int, *, indent: str = "  ") -> list[str]:
    """The quoted text after its label. ``forbidden``: passages of it that stand whole wherever they are."""
    lines = folded(label, quote(text), width, indent=indent)
    if len(lines) <= LINES:
        return lines
    room = LINES * width - len(label) - len(indent) - 8
    kept = shortened(text, forbidden, room)
    if len(kept) > room and len(lines) <= WHOLE:
        return lines
    return folded(label, quote(kept), width, indent=indent)


def shortened(text: str, forbidden: Sequence[str], room: int) -> str:
    """The beginning of the text, in about ``room`` characters, and every passage that forbids something, whole."""
    line = plain(text)
    if len(line) <= room:
        return line
    spans = _spans(line, forbidden)
    beyond = sum(end - start for start, end in spans if end > room)
    kept = [(0, line.rfind(" ", 0, max(room - beyond, room // 2)) + 1 or room)]
    for start, end in spans:
        first, last = kept[-1]
        if start <= last + len(_GAP):  # dots would take as much room as what they leave out
            kept[-1] = (first, max(last, end))
        else:
            kept.append((start, end))
    whole = _GAP.join(line[start:end].strip() for start, end in kept)
    return whole if not line[kept[-1][1] :].strip(" .!") else whole + _GAP.rstrip()


def _spans(line: str, forbidden: Sequence[str]) -> list[tuple[int, int]]:
    """Where the passages stand, in order; of a long one only its clauses that forbid."""
    found = set()
    for words in map(plain, forbidden):
        wanted = [words] if len(words) <= _LONG else [plain(clause) for clause in conditions(words)] or [words]
        for one in wanted:
            start = line.find(one)
            if one and start >= 0:
                found.add((start, start + len(one)))
    return sorted(found)
