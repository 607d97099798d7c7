"""How a task ended where nobody said so: what became of its work in the base branch (semantics: section 9)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passdown.rules.instants import DAY, seconds
from passdown.rules.measures.account import Account, End, Last, Run

ROLLBACK_DAYS = 14.0
"""How long after its end work that is taken back counts as rolled back."""


class Became(Struct, frozen=True):
    """Of a task's last sealed work: when the base branch got it, when it was undone there, whether its branch is gone.

    Instants are ISO 8601, None: it did not happen.
    """

    merged: str | None = None
    undone: str | None = None
    branch_gone: bool = False


def ended(account: Account, became: Became, days: float = ROLLBACK_DAYS) -> Account:
    """With the end that this shows; as it is where a person said one, or nothing shows any.

    Reverted within ``days`` of the merge: rolled-back. Merged with every acceptance check VERIFIED: completed. Its
    branch deleted and the work nowhere: abandoned.
    """
    last = account.last
    end = _end(last, became, days) if last is not None and account.end is None else None
    if last is None or end is None:
        return account
    answer = (last.order, end.outcome != "completed")
    holds = [replace(hold, answer=hold.first([answer])) for hold in account.holds]
    return replace(account, end=end, last=None, holds=holds, runs=_rolled_back(account.runs, end))


def _rolled_back(runs: list[Run], end: End) -> list[Run]:
    """Of a task that was rolled back the last run is undone, if it was not before."""
    if end.outcome != "rolled-back" or not runs or runs[-1].undone is not None:
        return runs
    return [*runs[:-1], replace(runs[-1], undone=(end.at, "outcome"))]


def _end(last: Last, became: Became, days: float) -> End | None:
    if became.merged is None:
        return End.of(last.at, "abandoned", {}) if became.branch_gone else None
    if became.undone is not None and _within(became.merged, became.undone, days):
        return End.of(became.undone, "rolled-back", {})
    if last.acceptance and set(last.acceptance.values()) == {"VERIFIED"}:
        return End.of(became.merged, "completed", last.acceptance)
    return None


def _within(begin: str, end: str, days: float) -> bool:
    a, b = seconds(begin), seconds(end)
    return a is not None and b is not None and b - a <= days * DAY
