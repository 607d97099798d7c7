"""A change as the engine takes it, and the boundary as a part of the work is asked with."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from passdown.model.boundary import Boundary, Budget
from passdown.rules.changes import SYMLINK, PathChange
from passdown.workspace.diff import Change

LINK_LIMIT = 4096
"""As many bytes of a symbolic link's text are read."""


def is_link(change: Change) -> bool:
    """Whether the path is a symbolic link now."""
    return change.new_mode == SYMLINK


def as_judged(change: Change, texts: Mapping[str, str]) -> PathChange:
    """The change, a symbolic link with its text of ``texts`` (by blob); one that is not there could not be read."""
    target = texts.get(change.new_blob) if is_link(change) else None
    return PathChange(
        change.path, change.status, change.old_mode, change.new_mode, target, change.added, change.removed
    )


def for_a_part(boundary: Boundary) -> Boundary:
    """The limits on files and lines bound the work as a whole; a part is asked for its paths alone."""
    return replace(boundary, budget=Budget(new=boundary.budget.new))
