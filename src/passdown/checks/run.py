"""Runs one check and says what came out of it, bound to what it ran on."""

from __future__ import annotations

from datetime import datetime
from typing import IO

from passdown.model.evidence import CheckDefinition, Evidence
from passdown.rules.redact import Redactor
from passdown.workspace.place import Place


def run_check(
    place: Place,
    definition: CheckDefinition,
    *,
    now: datetime,
    live: IO[bytes] | None = None,
    redactor: Redactor | None = None,
    cwd: str = ".",
) -> Evidence:
    """Snapshot, run, snapshot; the evidence is not recorded here.

    ``live`` receives both streams as they come. ``now`` is the start (aware). ``cwd`` is relative
    to the repository (ad hoc commands only).
    """
    raise NotImplementedError


def adhoc(command: list[str]) -> CheckDefinition:
    """The definition of ``passdown check -- CMD``: named by its command, at most OBSERVED."""
    raise NotImplementedError
