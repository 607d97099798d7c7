"""Which sessions ended without a packet and are worth one (case C12); facts in, a reason out."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from passdown.rules.instants import days_between, seconds

IDLE_HOURS = 1.0
"""How long a session must have been silent where nothing else shows that it ended."""
MAX_DAYS = 14.0

Why = Literal["draft", "packed", "no work", "another branch", "at work", "perhaps at work", "before", "too old"]


class Silent(Struct, frozen=True, kw_only=True):
    """One session as it stands. ``modified``: its last record.

    ``alive``: a process of its client lives; ``ended``: something shows that it ended (its last hook, a killed client,
    a lock let go, a turn that closed with a quota or an error). ``branch`` None: not known. ``sealed``: the last record
    that a packet holds, -1 for none.
    """

    modified: str
    records: int
    sealed: int
    worked: bool
    alive: bool
    ended: bool
    branch: str | None = None


def why(session: Silent, *, now: str, branch: str | None, since: str | None) -> Why:
    """``draft``, or why not. ``since``: when Passdown was first used here; None: never."""
    if session.records - 1 <= session.sealed:
        return "packed"
    if since is None or (seconds(session.modified) or 0.0) < (seconds(since) or 0.0):
        return "before"
    age = days_between(session.modified, now)
    if age is not None and age > MAX_DAYS:
        return "too old"
    if session.branch is not None and session.branch != branch:
        return "another branch"
    if not session.worked:
        return "no work"
    if session.alive:
        return "at work"
    if not session.ended and (age is None or age * 24 < IDLE_HOURS):
        return "perhaps at work"
    return "draft"
