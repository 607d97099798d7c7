"""What a person's `passdown init` wrote into a worktree: no touch of anybody's, as long as it is as it was written."""

from __future__ import annotations

from collections.abc import Iterable

from passdown.model.event import GuardInstalled, Record


def installed(records: Iterable[Record], worktree_id: str) -> list[tuple[tuple[int, str, int], GuardInstalled]]:
    """Each time that it did, in its order."""
    mine = [(r.order, r.body) for r in records if r.here and r.trusted and isinstance(r.body, GuardInstalled)]
    return [(order, body) for order, body in mine if body.worktree_id == worktree_id]


def init_wrote(records: Iterable[Record], worktree_id: str) -> frozenset[tuple[str, str]]:
    """``(path, blob)`` of each file as it wrote or left it, "" where it took it away."""
    return frozenset(pair for _, body in installed(records, worktree_id) for pair in body.files.items())
