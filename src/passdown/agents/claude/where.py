"""Where in a session a fact stands."""

from __future__ import annotations

from msgspec import Struct


class Where(Struct, frozen=True, gc=False):
    """The place of a record: its line, its time, its working directory, whose it is."""

    record: int
    at: str | None
    cwd: str | None
    subagent: bool
    denial: str | None = None
