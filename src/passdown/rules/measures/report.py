"""All measures of one window, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from passdown.rules.measures import four, others
from passdown.rules.measures.account import Account, End, Run
from passdown.rules.measures.events import Events, in_order
from passdown.rules.measures.numbers import Metric
from passdown.rules.measures.window import Only, Window


class Missing(Struct, frozen=True):
    """Something that could not be counted: what, where, and what would make it count."""

    what: str
    task: str
    name: str
    fix: str


class Tally(Struct, frozen=True):
    """What a part of the record counts, by when: any window of it is read off."""

    runs: Events[Run]
    ended: Events[End]
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


def tally(found: Mapping[str, Account], only: Only) -> Tally:
    """Everything that is counted; ``only`` picks runs, and with them the tasks that the measures of tasks look at."""
    runs = _runs(found, only)
    resumed = {run.task: found[run.task] for run in runs}
    counted = found if only.everything else resumed
    tasks = counted.values()
    return Tally(
        runs=in_order((run.began, run) for run in runs),
        ended=in_order((one.end.at, one.end) for one in resumed.values() if one.end is not None),
        checks=in_order(others.repeated((run, name in counted) for name, one in found.items() for run in one.checks)),
        claims=in_order(event for one in tasks for event in one.claims),
        holds=in_order(_holds(found.values(), tasks)),
        decisions=in_order(event for one in tasks for event in one.decisions),
        first_edits=in_order((run.began, run.first_edit) for run in runs if run.first_edit is not None),
        writes=in_order(event for one in tasks for event in one.writes),
        readbacks=in_order(event for one in tasks for event in one.readbacks),
    )


def _runs(found: Mapping[str, Account], only: Only) -> list[Run]:
    """Those that count, each told of by the packet that it started from, in whichever task that is."""
    runs = [run for account in found.values() for run in account.runs]
    if any(run.abroad for run in runs):
        packets = {name: about for account in found.values() for name, *about in account.packets}
        runs = [_told(run, packets.get(run.source)) if run.abroad else run for run in runs]
    return only.of(sorted(runs, key=lambda run: (run.began or 0.0, run.id)))


def _told(run: Run, about: list[str | None] | None) -> Run:
    if about is None:
        return run
    owner, template, repository = about
    return replace(run, owner=owner, template=template or "", repository=repository or "")


def _holds(found: Iterable[Account], tasks: Iterable[Account]) -> Iterator[tuple[float, bool]]:
    """For each packet on HOLD that a person answered whether otherwise than by letting it go on."""
    replanned: dict[str, list[tuple[others.Order, bool]]] = {}
    for account in found:
        if account.replans is not None:
            packet, order = account.replans
            replanned.setdefault(packet, []).append((order, True))
    for hold in (hold for account in tasks for hold in account.holds):
        answer = hold.first(replanned.get(hold.packet, ()))
        if answer is not None:
            yield hold.at, answer[1]


def measure(found: Mapping[str, Account], window: Window, only: Only, now: float) -> list[Metric]:
    """Every measure of one window."""
    return tally(found, only).within(window, now)


def missing(found: Mapping[str, Account], window: Window, only: Only, now: float) -> Iterator[Missing]:
    """What the measures of that window leave out, thing by thing."""
    runs = _runs(found, only)
    resumed = (found[name] for name in dict.fromkeys(run.task for run in runs))
    ended = in_order((one.end.at, one) for one in resumed if one.end is not None and one.end.unchecked)
    for account in ended.within(window):
        fix = "declare an acceptance check in passdown.toml"
        yield Missing("completed without an acceptance check", account.id, account.title, fix)
    for run in in_order((run.began, run) for run in runs).within(window):
        title = found[run.task].title
        if not run.sealed:
            yield Missing("a run without a packet", run.task, title, "passdown pack")
        if four.young(run, now):
            fix = "counts when it is 14 days old"
            yield Missing("too young to tell whether it is rolled back", run.task, title, fix)
