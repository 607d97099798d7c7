"""How a task ended where nobody said so: what became of its work in the base branch (semantics: section 9)."""

from __future__ import annotations

from msgspec import Struct

from passdown.model.event import Closed, Ended
from passdown.rules.instants import DAY, seconds
from passdown.rules.measures.trail import Trail
from passdown.rules.task import Stated

ROLLBACK_DAYS = 14.0
"""How long after its end work that is taken back counts as rolled back."""


class Became(Struct, frozen=True):
    """Of a task's last sealed work: when the base branch got it, when it was undone there, whether its branch is gone.

    Instants are ISO 8601, None: it did not happen.
    """

    merged: str | None = None
    undone: str | None = None
    branch_gone: bool = False


def inferred(trail: Trail, became: Became, days: float = ROLLBACK_DAYS) -> Stated[Closed] | None:
    """The end that this shows, marked inferred; None where a person said one, or nothing shows any.

    Reverted within ``days`` of the merge: rolled-back. Merged with every acceptance check VERIFIED: completed. Its
    branch deleted and the work nowhere: abandoned.
    """
    if trail.closed is not None or not trail.packets:
        return None
    last = trail.packets[-1]
    acceptance: dict[str, str] = {done.check: done.class_ or "not measured" for done in last.body.task.done}
    outcome, at, because = _end(last.at, acceptance, became, days)
    if outcome is None:
        return None
    body = Closed(
        task=trail.id, outcome=outcome, because=because, by="", inferred=True, packet=last.id, acceptance=acceptance
    )
    return Stated(last.id, at, last.order, body, here=last.here)


def _end(sealed: str, acceptance: dict[str, str], became: Became, days: float) -> tuple[Ended | None, str, str]:
    if became.merged is None:
        return (
            ("abandoned", sealed, "its branch is gone and the base does not have it") if became.branch_gone else _OPEN
        )
    if became.undone is not None and _within(became.merged, became.undone, days):
        return "rolled-back", became.undone, "taken back in the base branch"
    if acceptance and set(acceptance.values()) == {"VERIFIED"}:
        return "completed", became.merged, "merged, every acceptance check passed on it"
    return _OPEN


_OPEN: tuple[None, str, str] = (None, "", "")


def _within(begin: str, end: str, days: float) -> bool:
    a, b = seconds(begin), seconds(end)
    return a is not None and b is not None and b - a <= days * DAY
