"""What discovery finds."""

from __future__ import annotations

from dataclasses import dataclass

from passdown.model.session import CheckKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command that a file of the repository (or the session) speaks of."""

    kind: CheckKind
    run: str
    found_in: str
