"""Candidates: the checks that a repository seems to have, each with the file that says so."""

from __future__ import annotations

from passdown.model.evidence import CheckDefinition
from passdown.model.session import SessionFacts
from passdown.workspace.place import Place


def candidates(place: Place, facts: SessionFacts | None = None, *, tree: str | None = None) -> list[CheckDefinition]:
    """Candidates, tests first; ``found_in`` says why. ``tree``: a snapshot to read instead of the disk."""
    raise NotImplementedError
