"""Changes and violations as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Op = Literal["added", "modified", "deleted", "mode", "type"]
SYMLINK = "120000"
GITLINK = "160000"


@dataclass(frozen=True, slots=True)
class PathChange:
    """One path that differs between two trees; modes as git writes them, "" where there is none.

    ``target`` is the text of a symbolic link after the change; ``added``/``removed`` count lines, None: binary.
    """

    path: str
    op: Op
    old_mode: str = ""
    new_mode: str = ""
    target: str | None = None
    added: int | None = None
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """One change outside.

    ``rule`` is an entry's id (N1) or one of: outside, protected, symlink, gitlink, same-name, new, derived,
    budget-files, budget-lines.
    """

    path: str
    op: str
    rule: str
    because: str
