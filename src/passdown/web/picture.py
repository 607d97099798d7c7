"""The repository at a glance: by folder what may be written, what may not, what was touched, what lies outside."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.packet import FileChange
from passdown.packet.text import plain
from passdown.rules.decide import Asked

Kind = Literal["outside", "touched", "write", "denied"]
KINDS: tuple[Kind, ...] = ("outside", "touched", "write", "denied")
SHOWN = 80
"""Cells of one folder."""


class Cell(Struct, frozen=True):
    """One file that matters."""

    path: str
    kind: Kind


class Folder(Struct):
    """A folder with its files that matter, and how many others it has; ``counts`` are of all that matter."""

    name: str
    cells: list[Cell] = field(default_factory=list)
    others: int = 0
    counts: dict[Kind, int] = field(default_factory=dict)

    @property
    def more(self) -> int:
        """How many that matter have no cell."""
        return sum(self.counts.values()) - len(self.cells)


def picture(paths: Iterable[str], files: Sequence[FileChange], boundary: Boundary) -> list[Folder]:
    """The folders that hold something that matters, by name; the rest of the tree as one."""
    asked = Asked.of(boundary)
    touched = {file.path for file in files}
    found: dict[str, Folder] = {}
    rest = Folder("everything else")
    others: dict[str, int] = {}
    for path in sorted({*paths, *touched}):
        kind = _kind(asked, path, touched)
        name = path.rpartition("/")[0]
        if kind is None:
            others[name] = others.get(name, 0) + 1
            continue
        folder = found.setdefault(name, Folder(plain(name) or "(top)"))
        folder.counts[kind] = folder.counts.get(kind, 0) + 1
        if len(folder.cells) < SHOWN:
            folder.cells.append(Cell(plain(path), kind))
    for name, number in others.items():
        home = found.get(name, rest)
        home.others += number
    folders = sorted(found.values(), key=lambda folder: (-_weight(folder), folder.name))
    return [*folders, rest] if rest.others else folders


def _kind(asked: Asked, path: str, touched: Collection[str]) -> Kind | None:
    decided = asked.decide(path)
    if path in touched:
        return "touched" if decided.inside else "outside"
    if decided.inside:
        return "write"
    return "denied" if decided.rule not in ("outside", "protected") else None


def _weight(folder: Folder) -> int:
    """Where something lies outside comes first, then where something was touched."""
    return 2 * bool(folder.counts.get("outside")) + bool(folder.counts.get("touched"))
