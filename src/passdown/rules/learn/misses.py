"""Misses of the record by kind and subject, each among the chances in which it could have happened.

Derived from what is recorded anyway: nothing is written for it. A chance misses at most once a subject.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.model.packet import Packet
from passdown.rules.decide import Asked
from passdown.rules.instants import seconds
from passdown.rules.measures.others import check_runs
from passdown.rules.measures.runs import ATTEMPTED, ResumedRun
from passdown.rules.measures.trail import Trail
from passdown.rules.task import Stated

_OTHERS = 20
"""Chances of other agents without a miss, before it is one agent's."""


class Chance(Struct, frozen=True):
    """One occasion on which a miss could happen: its id, task, instant and agent (where it is an agent's)."""

    id: str
    task: str
    at: str
    agent: str | None = None


class Miss(Struct, frozen=True):
    """A handoff failed somebody: what it was about, on which occasion; ``about``: what an edit needs besides."""

    subject: str
    chance: Chance
    about: str = ""


class Counted(Struct, frozen=True):
    """One cause: the occasions that missed among all of them."""

    kind: str
    subject: str
    missed: Sequence[Chance]
    chances: Sequence[Chance]
    about: str = ""

    @property
    def tasks(self) -> int:
        """In how many tasks it missed."""
        return len({chance.task for chance in self.missed})

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return len(self.missed) / len(self.chances) if self.chances else 0.0

    @property
    def agent(self) -> str:
        """The one agent with which it missed, where others had chances enough to; "" where there is no such one."""
        missed = {chance.agent for chance in self.missed}
        (only, *more) = missed or {None}
        if only is None or more:
            return ""
        others = sum(chance.agent not in {None, only} for chance in self.chances)
        return only if others >= _OTHERS else ""


def within(causes: Sequence[Counted], since: float | None) -> list[Counted]:
    """The causes with what happened after ``since`` alone (seconds since 1970, None: ever)."""
    if since is None:
        return list(causes)
    kept = [replace(one, missed=_after(one.missed, since), chances=_after(one.chances, since)) for one in causes]
    return [one for one in kept if one.missed]


def _after(chances: Sequence[Chance], since: float) -> list[Chance]:
    return [chance for chance in chances if (seconds(chance.at) or 0.0) > since]


class _Book(Struct):
    """What one kind counts: chances of every subject (``None``) or of one alone."""

    chances: dict[str | None, dict[str, Chance]] = field(default_factory=lambda: defaultdict(dict))
    misses: dict[str, dict[str, Miss]] = field(default_factory=lambda: defaultdict(dict))

    def chance(self, chance: Chance, subject: str | None = None) -> None:
        self.chances[subject][chance.id] = chance

    def miss(self, miss: Miss) -> None:
        self.misses[miss.subject][miss.chance.id] = miss


def counted(found: Mapping[str, Trail], runs: Iterable[ResumedRun]) -> list[Counted]:
    """Every cause that missed at least once, by kind and subject."""
    books: dict[str, _Book] = defaultdict(_Book)
    _runs(found, runs, books)
    _checks(found, books["redundant-check"])
    for trail in found.values():
        _packets(trail, books)
        _holds(trail, books["lifted-hold"])
    return [
        Counted(
            kind,
            subject,
            [miss.chance for miss in misses.values()],
            [*(book.chances.get(subject) or book.chances[None]).values()],
            next((miss.about for miss in misses.values() if miss.about), ""),
        )
        for kind, book in sorted(books.items())
        for subject, misses in sorted(book.misses.items())
    ]


def _runs(found: Mapping[str, Trail], runs: Iterable[ResumedRun], books: Mapping[str, _Book]) -> None:
    """Paths that resumed runs went for outside, were refused and then given, or touched in vain."""
    for run in runs:
        chance = Chance(run.id, run.task, run.began, run.agent)
        given = set(_given_later(found[run.task], run))
        strayed = (run.attempted | run.landed) - given
        for kind, paths in (("stray-path", strayed), ("false-denial", given), ("vain-touch", run.put_back | run.blank)):
            if kind == "vain-touch" and run.ended is None:
                continue  # what it left behind was never sealed: it is not known
            books[kind].chance(chance)
            for path in paths:
                books[kind].miss(Miss(path, chance, run.template))


def _given_later(trail: Trail, run: ResumedRun) -> Iterator[str]:
    """Paths that this run was refused and that a person let in afterwards."""
    said = [(verdict.at, verdict.body.boundary) for verdict in trail.verdicts]
    said += [(by_hand.at, by_hand.body.boundary) for by_hand in trail.boundaries]
    since = seconds(run.began) or 0.0
    wider = [Asked.of(boundary) for at, boundary in said if (seconds(at) or 0.0) > since]
    for touch in trail.touches:
        refused = touch.where in ATTEMPTED and touch.path in run.attempted
        if refused and any(asked.decide(touch.path).inside for asked in wider):
            yield touch.path


def _packets(trail: Trail, books: Mapping[str, _Book]) -> None:
    """What packets hold: refuted claims, dead ends met in this task, checks that nobody declared."""
    whole = Chance(trail.id, trail.id, trail.packets[0].at) if trail.packets else None
    for packet in trail.packets:
        chance = Chance(packet.id, trail.id, packet.at, packet.body.run.agent)
        if any(outcome.source is None for outcome in packet.body.outcomes):
            books["contradicted-claim"].chance(chance)
            for command in _refuting(packet.body):
                books["contradicted-claim"].miss(Miss(command, chance))
        tests = [check for check in packet.body.checks if check.kind == "test"]
        if tests:
            books["undeclared-check"].chance(chance)
        for check in tests:
            if any(warning.startswith("candidate") for warning in check.warnings):
                books["undeclared-check"].miss(Miss(check.command, chance, check.name))
        if whole is not None:
            books["dead-end"].chance(whole)
            for dead in packet.body.dead_ends:
                books["dead-end"].miss(Miss(dead.command, whole, dead.error))


def _refuting(packet: Packet) -> set[str]:
    """The commands of the checks that refute what the run's agent said."""
    names = ((name, check.command) for check in packet.checks for name in (check.name, check.command, check.evidence))
    commands = {name: command for name, command in names if name}
    false = [o for o in packet.outcomes if o.class_ == "CONTRADICTED" and o.source is None]
    return {commands[name] for outcome in false for name in outcome.evidence if name in commands}


def _checks(found: Mapping[str, Trail], book: _Book) -> None:
    """Runs of a check whose result was known."""
    for task, stated, known in check_runs(found):
        chance = Chance(stated.id, task, stated.at)
        book.chance(chance, stated.body.check)
        if known:
            book.miss(Miss(stated.body.check, chance))


def _holds(trail: Trail, book: _Book) -> None:
    """Reasons that held a packet and that a person lifted."""
    for packet in trail.packets:
        chance = Chance(packet.id, trail.id, packet.at)
        for reason in packet.body.hold.reasons:
            if reason.level == "hold":
                book.chance(chance, reason.code)
                if _lifted(trail, packet, reason.code):
                    book.miss(Miss(reason.code, chance))


def _lifted(trail: Trail, packet: Stated[Packet], code: str) -> bool:
    return any(
        lift.body.packet in (None, packet.id) and code in lift.body.codes and lift.order > packet.order
        for lift in trail.lifts
    )
