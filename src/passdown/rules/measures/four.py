"""The four measures that tell whether handoffs work (semantics: section 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from passdown.rules.instants import DAY, seconds
from passdown.rules.measures.events import Events, in_order
from passdown.rules.measures.inferred import ROLLBACK_DAYS
from passdown.rules.measures.numbers import Metric, share
from passdown.rules.measures.runs import ResumedRun
from passdown.rules.measures.trail import Trail


def completed_of(ended: Sequence[Trail]) -> Metric:
    """Tasks with a resumed run that ended as completed, each acceptance check VERIFIED / those that ended at all."""
    done = sum(_verified(trail) for trail in ended)
    unmeasured = sum(without_checks(trail) for trail in ended)
    left_out = {"no acceptance check": unmeasured} if unmeasured else {}
    standing = sum(_on_accepted_tests(trail) for trail in ended)
    if standing:
        left_out["on tests that were changed and accepted"] = standing
    return share("resumed-tasks-completed", done, len(ended), left_out=left_out)


def ended_tasks(found: Mapping[str, Trail], runs: Iterable[ResumedRun]) -> Events[Trail]:
    """The tasks of these runs that ended, by when."""
    names = dict.fromkeys(run.task for run in runs)
    trails = (found[name] for name in names)
    return in_order((trail.closed.at, trail) for trail in trails if trail.closed is not None)


def begun(runs: Iterable[ResumedRun]) -> Events[ResumedRun]:
    """The runs by when they began."""
    return in_order((run.began, run) for run in runs)


def without_checks(trail: Trail) -> bool:
    """Whether it was closed as completed and nothing could say so but the person."""
    closed = trail.closed
    return closed is not None and closed.body.outcome == "completed" and not closed.body.acceptance


def _verified(trail: Trail) -> bool:
    closed = trail.closed
    if closed is None or closed.body.outcome != "completed":
        return False
    return bool(closed.body.acceptance) and set(closed.body.acceptance.values()) == {"VERIFIED"}


def _on_accepted_tests(trail: Trail) -> bool:
    """Whether it was completed, and what keeps a check from being VERIFIED are changed tests that somebody accepted."""
    closed = trail.closed
    if closed is None or closed.body.outcome != "completed" or _verified(trail):
        return False
    said = closed.body.acceptance
    return bool(said) and all(said[name] == "VERIFIED" or name in closed.body.accepted for name in said)


def scope_of(counted: Sequence[ResumedRun]) -> Metric:
    """Resumed runs that went for a path outside or reopened a settled decision / resumed runs."""
    parts = {
        "attempted": sum(bool(run.attempted) for run in counted),
        "landed": sum(bool(run.landed) for run in counted),
        "decision reopened": sum(bool(run.reopened) for run in counted),
    }
    return share("reopened-scope-incidents", sum(run.strayed for run in counted), len(counted), parts=parts)


def touches_of(counted: Sequence[ResumedRun]) -> Metric:
    """Files that resumed runs changed outside, put back as they were, or changed in white space alone / all of them."""
    parts = {
        "outside": sum(len(run.outside) for run in counted),
        "as before": sum(len(run.put_back) for run in counted),
        "white space": sum(len(run.blank) for run in counted),
    }
    unsealed = sum(run.ended is None for run in counted)
    return share(
        "unnecessary-file-touches",
        sum(len(run.unnecessary) for run in counted),
        sum(len(run.files) for run in counted),
        parts=parts,
        left_out={"run without a packet": unsealed} if unsealed else {},
    )


def rollbacks_of(began: Sequence[ResumedRun], now: float, days: float = ROLLBACK_DAYS) -> Metric:
    """Resumed runs undone within ``days`` of their end / resumed runs that are older than that at ``now``."""
    counted = [run for run in began if (ended(run) + days * DAY) <= now]
    young = len(began) - len(counted)
    undone = [run for run in counted if run.undone is not None and _soon(run, days)]
    ways = [run.undone[1] for run in undone if run.undone is not None]
    return share(
        "rollback-rate",
        len(undone),
        len(counted),
        parts={way: ways.count(way) for way in dict.fromkeys(ways)},
        left_out={"too young": young} if young else {},
    )


def ended(run: ResumedRun) -> float:
    """When it ended, else when it began: seconds since 1970."""
    return seconds(run.ended) or seconds(run.began) or 0.0


def _soon(run: ResumedRun, days: float) -> bool:
    when = seconds(run.undone[0]) if run.undone is not None else None
    return when is not None and when - ended(run) <= days * DAY
