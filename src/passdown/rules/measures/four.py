"""The four measures that tell whether handoffs work (semantics: section 9)."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.rules.instants import DAY
from passdown.rules.measures.account import End, Run
from passdown.rules.measures.inferred import ROLLBACK_DAYS
from passdown.rules.measures.numbers import Metric, share


def completed_of(ended: Sequence[End]) -> Metric:
    """Tasks with a resumed run that ended as completed, each acceptance check VERIFIED / those that ended at all."""
    unmeasured = sum(end.unchecked for end in ended)
    left_out = {"no acceptance check": unmeasured} if unmeasured else {}
    standing = sum(end.accepted for end in ended)
    if standing:
        left_out["on tests that were changed and accepted"] = standing
    return share("resumed-tasks-completed", sum(end.verified for end in ended), len(ended), left_out=left_out)


def scope_of(counted: Sequence[Run]) -> Metric:
    """Resumed runs that went for a path outside or reopened a settled decision / resumed runs."""
    parts = {
        "attempted": sum(run.attempted for run in counted),
        "landed": sum(run.landed for run in counted),
        "decision reopened": sum(run.reopened for run in counted),
    }
    return share("reopened-scope-incidents", sum(run.strayed for run in counted), len(counted), parts=parts)


def touches_of(counted: Sequence[Run]) -> Metric:
    """Files that resumed runs changed outside, put back as they were, or changed in white space alone / all of them."""
    parts = {
        "outside": sum(run.outside for run in counted),
        "as before": sum(run.put_back for run in counted),
        "white space": sum(run.blank for run in counted),
    }
    unsealed = sum(not run.sealed for run in counted)
    return share(
        "unnecessary-file-touches",
        sum(run.unnecessary for run in counted),
        sum(run.files for run in counted),
        parts=parts,
        left_out={"run without a packet": unsealed} if unsealed else {},
    )


def rollbacks_of(began: Sequence[Run], now: float, days: float = ROLLBACK_DAYS) -> Metric:
    """Resumed runs undone within ``days`` of their end / resumed runs that are older than that at ``now``."""
    counted = [run for run in began if not young(run, now, days)]
    ways = [run.undone[1] for run in counted if run.undone is not None and _soon(run.undone[0], run.end, days)]
    left = len(began) - len(counted)
    return share(
        "rollback-rate",
        len(ways),
        len(counted),
        parts={way: ways.count(way) for way in dict.fromkeys(ways)},
        left_out={"too young": left} if left else {},
    )


def young(run: Run, now: float, days: float = ROLLBACK_DAYS) -> bool:
    """Whether it is too early to say that its work stays."""
    return run.end + days * DAY > now


def _soon(when: float | None, end: float, days: float) -> bool:
    return when is not None and when - end <= days * DAY
