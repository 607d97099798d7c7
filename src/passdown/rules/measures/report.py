"""All measures of one window, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from passdown.rules.instants import DAY
from passdown.rules.measures import four, others
from passdown.rules.measures.inferred import ROLLBACK_DAYS
from passdown.rules.measures.numbers import Metric
from passdown.rules.measures.runs import ResumedRun
from passdown.rules.measures.trail import Trail
from passdown.rules.measures.window import Only, Window


class Missing(Struct, frozen=True):
    """Something that could not be counted: what, where, and what would make it count."""

    what: str
    task: str
    name: str
    fix: str


def measure(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], window: Window, only: Only, now: float
) -> list[Metric]:
    """Every measure; ``only`` picks runs, and with them the tasks that the measures of tasks look at."""
    counted = only.of(runs)
    names = {run.task for run in counted}
    tasks = found if only.everything else {name: trail for name, trail in found.items() if name in names}
    return [
        four.completed(found, counted, window),
        four.reopened_scope(counted, window),
        four.unnecessary_touches(counted, window),
        four.rollback_rate(counted, window, now),
        others.redundant_checks(tasks, window),
        others.unsupported_claims(tasks, window),
        others.holds_found_right(tasks, window),
        others.time_to_decide(tasks, window),
        others.time_to_first_edit(counted, window),
        others.false_denials(tasks, window),
        others.first_try_readbacks(tasks, window),
    ]


def missing(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], window: Window, only: Only, now: float
) -> Iterator[Missing]:
    """What the measures of that window leave out, thing by thing."""
    counted = only.of(runs)
    for trail in four.ended_tasks(found, counted, window):
        if four.without_checks(trail):
            fix = "declare an acceptance check in passdown.toml"
            yield Missing("completed without an acceptance check", trail.id, _title(trail), fix)
    for run in (run for run in counted if window.holds(run.began)):
        if run.ended is None:
            yield Missing("a run without a packet", run.task, _title(found[run.task]), "passdown pack")
        if four.ended(run) + ROLLBACK_DAYS * DAY > now:
            fix = "counts when it is 14 days old"
            yield Missing("too young to tell whether it is rolled back", run.task, _title(found[run.task]), fix)


def _title(trail: Trail) -> str:
    if trail.packets:
        return trail.packets[-1].body.task.title
    return trail.opened.body.title if trail.opened is not None else ""
