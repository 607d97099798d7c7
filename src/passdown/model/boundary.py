"""The boundary: what the next run may write (semantics: section 3)."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct, field

from passdown.model.ids import BoundaryDigest

Source = Literal["proposed", "hand", "reviewed"]


class Entry(Struct, frozen=True, kw_only=True):
    """One pattern (gitignore syntax without ``!``) with its short id (B1 allows, N1 denies) and its reason.

    ``also`` are further reasons for the same place.
    """

    id: str
    path: str
    because: str
    path_b64: str | None = None
    also: list[str] = field(default_factory=list)


class Budget(Struct, frozen=True, kw_only=True):
    """How much may change: ``files`` touched, ``lines`` added plus removed (None: no limit).

    ``new`` files may appear beside the allowed ones (None: none, what is not listed is outside).
    """

    files: int | None = None
    lines: int | None = None
    new: int | None = None


class Boundary(Struct, frozen=True, kw_only=True):
    """Allow and deny patterns, budget and stop conditions. Deny wins; what is not listed is outside."""

    version: int
    source: Source
    allow: list[Entry] = field(default_factory=list)
    deny: list[Entry] = field(default_factory=list)
    budget: Budget = Budget()
    stop: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    digest: str = ""

    def sealed(self) -> Boundary:
        """The same boundary with its digest filled in."""
        return msgspec.structs.replace(self, digest=boundary_digest(self))


def boundary_digest(boundary: Boundary) -> BoundaryDigest:
    """sha256 over what the boundary means: patterns in order, budget, stop, opened paths, version, source."""
    meaning = {
        "version": boundary.version,
        "source": boundary.source,
        "allow": [[e.path, e.path_b64] for e in boundary.allow],
        "deny": [[e.path, e.path_b64] for e in boundary.deny],
        "budget": [boundary.budget.files, boundary.budget.lines, boundary.budget.new],
        "stop": boundary.stop,
        "opened": boundary.opened,
    }
    return BoundaryDigest(hashlib.sha256(msgspec.json.encode(meaning, order="sorted")).hexdigest())
