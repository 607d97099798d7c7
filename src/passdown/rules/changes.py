"""Changes and violations as values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Op = Literal["added", "modified", "deleted", "mode", "type"]
SYMLINK = "120000"
GITLINK = "160000"


class PathChange(Struct, frozen=True):
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


class Violation(Struct, frozen=True):
    """One change outside.

    ``rule`` is an entry's id (N1) or one of: outside, protected, symlink, gitlink, same-name, new, derived,
    budget-files, budget-lines.
    """

    path: str
    op: str
    rule: str
    because: str
