"""What discovery finds."""

from __future__ import annotations

import shlex

from msgspec import Struct
from msgspec.structs import replace

from passdown.model.session import CheckKind


class Candidate(Struct, frozen=True):
    """A command that a file of the repository (or the session) speaks of; ``folder``: where it runs, "" the root."""

    kind: CheckKind
    run: str
    found_in: str
    folder: str = ""

    def within(self, folder: str) -> Candidate:
        """The same as a project in a folder of the tree means it."""
        if not folder:
            return self
        run = f"cd {shlex.quote(folder)} && {self.run}"
        return replace(self, run=run, found_in=f"{folder}/{self.found_in}", folder=folder)
