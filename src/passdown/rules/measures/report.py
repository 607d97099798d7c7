"""All measures of one window, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from passdown.rules.instants import DAY
from passdown.rules.measures import four, others
from passdown.rules.measures.events import Events, in_order
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


class Tally(Struct, frozen=True):
    """What a part of the record counts, by when: any window of it is read off."""

    runs: Events[ResumedRun]
    ended: Events[Trail]
    checks: Events[bool]
    claims: Events[int]
    holds: Events[bool]
    decisions: Events[float]
    first_edits: Events[float]
    writes: Events[bool]
    readbacks: Events[bool]

    def within(self, window: Window, now: float) -> list[Metric]:
        """Every measure of one window, seen at ``now``."""
        began = self.runs.within(window)
        return [
            four.completed_of(self.ended.within(window)),
            four.scope_of(began),
            four.touches_of(began),
            four.rollbacks_of(began, now),
            others.checks_of(self.checks.within(window)),
            others.claims_of(self.claims.within(window)),
            others.holds_of(self.holds.within(window)),
            others.decisions_of(self.decisions.within(window)),
            others.first_edits_of(self.first_edits.within(window)),
            others.writes_of(self.writes.within(window)),
            others.readbacks_of(self.readbacks.within(window)),
        ]


def tally(found: Mapping[str, Trail], runs: Sequence[ResumedRun], only: Only) -> Tally:
    """Everything that is counted; ``only`` picks runs, and with them the tasks that the measures of tasks look at."""
    counted = only.of(runs)
    names = {run.task for run in counted}
    tasks = found if only.everything else {name: trail for name, trail in found.items() if name in names}
    return Tally(
        runs=four.begun(counted),
        ended=four.ended_tasks(found, counted),
        checks=in_order(others.checks(found, tasks)),
        claims=in_order(others.claims(tasks)),
        holds=in_order(others.holds(found, tasks)),
        decisions=in_order(others.decisions(tasks)),
        first_edits=in_order(others.first_edits(counted)),
        writes=in_order(others.writes(tasks)),
        readbacks=in_order(others.readbacks(tasks)),
    )


def measure(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], window: Window, only: Only, now: float
) -> list[Metric]:
    """Every measure of one window."""
    return tally(found, runs, only).within(window, now)


def missing(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], window: Window, only: Only, now: float
) -> Iterator[Missing]:
    """What the measures of that window leave out, thing by thing."""
    counted = only.of(runs)
    for trail in four.ended_tasks(found, counted).within(window):
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
