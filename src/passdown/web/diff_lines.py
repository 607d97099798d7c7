"""A unified diff as lines that a page can colour; all of it is foreign text."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from passdown.packet.text import cut, plain
from passdown.rules.patterns import lazy

MOST = 4000
WIDEST = 2000
_HUNK = lazy(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)")


class DiffLine(Struct, frozen=True):
    """``kind``: add, del, hunk, meta or "" (unchanged); line numbers before and after, where it has them."""

    kind: str
    text: str
    old: int | None = None
    new: int | None = None


def lines(patch: str) -> list[DiffLine]:
    """The lines, at most :data:`MOST` and said so."""
    found: list[DiffLine] = []
    for line in _read(patch.split("\n")):
        if len(found) == MOST:
            return [*found, DiffLine("meta", "... the rest is not shown here: passdown review, then d")]
        found.append(line)
    return found


def _read(patch: list[str]) -> Iterator[DiffLine]:
    old = new = 0
    inside = False
    for line in patch:
        hunk = _HUNK.fullmatch(line)
        if hunk is not None:
            old, new, inside = int(hunk[1]), int(hunk[2]), True
            yield DiffLine("hunk", f"@@ {hunk[1]} -> {hunk[2]} @@{_text(hunk[3])}")
        elif not inside:
            if line.startswith(("new file", "deleted file", "old mode", "new mode", "Binary")):
                yield DiffLine("meta", _text(line))
        elif line.startswith("diff --git "):
            inside = False
        elif line.startswith("+"):
            yield DiffLine("add", _text(line[1:]), None, new)
            new += 1
        elif line.startswith("-"):
            yield DiffLine("del", _text(line[1:]), old, None)
            old += 1
        elif line.startswith("\\"):
            yield DiffLine("meta", _text(line[2:]))
        elif line:
            yield DiffLine("", _text(line[1:]), old, new)
            old, new = old + 1, new + 1


def _text(line: str) -> str:
    """With its indentation, and nothing in it that paints, hides or turns text round."""
    bare = line.expandtabs(4).rstrip("\r")
    return cut("".join(char if char.isprintable() else plain(f"x{char}")[1:] for char in bare), WIDEST)
