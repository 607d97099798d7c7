"""What discovery finds."""

from __future__ import annotations

from msgspec import Struct

from passdown.model.session import CheckKind


class Candidate(Struct, frozen=True):
    """A command that a file of the repository (or the session) speaks of."""

    kind: CheckKind
    run: str
    found_in: str
