"""The one engine: which changes lie outside a boundary (semantics: section 3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from passdown.model.boundary import Boundary
from passdown.model.policy import Derived

Op = Literal["added", "modified", "deleted", "mode", "type"]


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
class Context:
    """What the engine must know besides boundary and changes.

    ``paths``: every path of the new tree (collisions); ``links``: its symbolic links and their texts;
    ``always``: further paths that nobody may open (hooks of ours inside the worktree).
    """

    derived: Sequence[Derived] = ()
    fold_case: bool = False
    paths: Collection[str] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    always: Sequence[str] = ()


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


def judge(boundary: Boundary, changes: Sequence[PathChange], context: Context | None = None) -> list[Violation]:
    """Every violation, in path order; [] means that all changes lie inside."""
    raise NotImplementedError
