"""Whether a verdict still binds: it lapses when other people own the paths that it opened."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.event import Verdict
from passdown.review.owners import Owners, load_owners
from passdown.review.verdict import allowed_paths
from passdown.workspace.place import Place


def owners_changed(place: Place, given: Verdict, owners: Owners, paths: Sequence[str]) -> str | None:
    """The first of ``paths`` inside the verdict's boundary whose owners are not those of then; None: as it was."""
    if given.codeowners == owners.digest:
        return None
    then = load_owners(place, given.base)
    moved = (path for path in allowed_paths(given.boundary, tuple(paths)) if then.of(path) != owners.of(path))
    path = next(moved, None)
    if path is None:
        return None
    now = ", ".join(owners.of(path)) or "nobody"
    return f"{path} belongs to {now} since the verdict of {given.by}"
