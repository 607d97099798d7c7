"""A generated year with planted causes among one-off misses: what ``passdown learn`` must name, and what edits did.

``python bench/learning.py --seeds 40`` prints for each seed what is named beside what was planted, and how often the
true change of a planted cause lies in the stated interval.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from histories import NOW, Maker, RunTruth, _boundary, _evidence, _text
from msgspec.structs import replace

from passdown.model.event import BoundarySet, Lifted, Record, Resumed
from passdown.model.packet import (
    FileChange,
    Freshness,
    HoldReason,
    Inputs,
    Outcome,
    Packet,
    PacketCheck,
    TriedDeadEnd,
)
from passdown.rules.learn.effect import Effect, effect
from passdown.rules.learn.misses import Counted, counted
from passdown.rules.learn.proposals import proposals
from passdown.rules.measures.runs import resumed_runs
from passdown.rules.measures.trail import Touch, trails

YEAR = 365


@dataclass(frozen=True)
class Cause:
    """Something that goes wrong in a ``share`` of its occasions; ``later`` from ``turn`` on (an edit was taken).

    ``agent``: with that one alone; ``begin`` and ``end``: in that period alone (ISO instants).
    """

    kind: str
    subject: str
    share: float = 0.2
    later: float | None = None
    turn: str = "9"
    agent: str | None = None
    begin: str = ""
    end: str = "9"

    @property
    def name(self) -> tuple[str, str]:
        """As a proposal names it."""
        return self.kind, self.subject

    def rate(self, at: str, agent: str | None) -> float:
        """How likely it is on an occasion of that instant."""
        if not self.begin <= at < self.end or self.agent not in (None, agent):
            return 0.0
        return self.later if self.later is not None and at >= self.turn else self.share


ALL = (
    Cause("contradicted-claim", "pytest -q"),
    Cause("undeclared-check", "npm test", 0.4),
    Cause("dead-end", "pip install foo"),
    Cause("lifted-hold", "too-old", 0.3),
    Cause("stray-path", "infra/main.tf"),
    Cause("vain-touch", "src/generated.py"),
    Cause("false-denial", "docs/api.md"),
    Cause("redundant-check", "lint", 0.5),
)


class Quiet(Maker):
    """A history whose own misses are each somewhere else: noise that names nothing."""

    def _writes(self, truth: RunTruth, task: str, began: datetime, sealed: datetime) -> None:
        super()._writes(truth, task, began, sealed)
        last = len(self.history.touches)
        for at in range(max(0, last - 4), last):
            touch = self.history.touches[at]
            if touch.path.startswith("other/"):
                self.history.touches[at] = Touch(touch.id, touch.task, touch.at, f"far/{touch.id[:9]}", touch.where)

    def _files(self, truth: RunTruth) -> tuple[list[FileChange], list[str]]:
        files, _ = super()._files(truth)
        name = self._id("file")[:9]
        mine = {"README.md": f"out/{name}", "src/spaces.py": f"src/blank-{name}.py"}
        return [replace(file, path=mine.get(file.path, file.path)) for file in files], [f"src/back-{name}.py"]

    def _checks(self, task: str, at: datetime) -> None:
        """Each on inputs of its own."""
        for number in range(self._dice.randrange(4)):
            when = at + timedelta(seconds=number + 1)
            self._put(_evidence(f"{task} {at} {number}", when), task, when, "evidence")


@dataclass
class Year:
    """The records of a year and what hooks saw."""

    records: list[Record] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)

    def causes(self) -> list[Counted]:
        """What `passdown learn` counts."""
        found = trails(self.records, self.touches)
        return counted(found, resumed_runs(found))


class Planter:
    """Puts causes and one-off misses of every kind into a quiet year."""

    def __init__(self, seed: int, causes: tuple[Cause, ...]) -> None:
        self._dice = random.Random(seed)
        self._causes = {cause.name: cause for cause in causes}
        self._begun: set[str] = set()
        self.year = Year()

    def happens(self, kind: str, subject: str, at: str, agent: str | None) -> bool:
        """Whether that cause strikes on this occasion."""
        cause = self._causes.get((kind, subject))
        return cause is not None and self._dice.random() < cause.rate(at, agent)

    def which(self, kind: str, at: str, agent: str | None) -> Iterator[str]:
        """The subjects of that kind that go wrong on this occasion."""
        return (subject for told, subject in self._causes if told == kind and self.happens(kind, subject, at, agent))

    def put(self, record: Record) -> None:
        """One record more, with what goes wrong in it."""
        body = record.body
        if isinstance(body, Packet):
            self._packet(record, body)
        elif isinstance(body, Resumed):
            self._resumed(record, body)
        else:
            self.year.records.append(record)

    def _beside(self, record: Record, what: str, body: object, *, later: int = 0) -> None:
        order = (record.order[0], record.order[1], record.order[2] + 10**9 + later)
        self.year.records.append(replace(record, id=f"{what}-{record.id}", type=what, body=body, order=order))

    def _resumed(self, record: Record, body: Resumed) -> None:
        self.year.records.append(record)
        if body.run in self._begun:  # renewed: no other run
            return
        self._begun.add(body.run)
        for kind in ("stray-path", "false-denial"):
            for path in self.which(kind, record.at, body.agent):
                name = f"touch-{kind}-{path}-{record.id}"
                self.year.touches.append(Touch(name, record.task, record.at, path, "outside-blocked", "s1"))
                if kind == "false-denial":
                    at = _text(datetime.fromisoformat(record.at) + timedelta(seconds=30))
                    wider = BoundarySet(
                        task=body.task, boundary=_boundary(path), previous=None, worktree_id="wt", branch="main"
                    )
                    self._beside(replace(record, at=at), f"wider-{path.replace('/', '-')}", wider)

    def _packet(self, record: Record, body: Packet) -> None:
        agent, dice, at = body.run.agent, self._dice, record.at
        odd = f"odd-{dice.random()}"
        told = [Outcome(text="all pass", class_="CLAIMED", evidence=[], because="")]
        checks = [_check("tests", "pytest -q"), _check("odd", odd, "candidate")]
        for command in self.which("contradicted-claim", at, agent):
            name = "tests" if command == "pytest -q" else command
            checks += [_check(name, command)] if name != "tests" else []
            told.append(Outcome(text="all pass", class_="CONTRADICTED", evidence=[name], because="1 failed"))
        for command in self.which("undeclared-check", at, agent):
            checks.append(_check("web", command, "candidate: found in package.json"))
        dead = [TriedDeadEnd(id="X1", command=odd, error="no", tries=1)]
        dead += [
            TriedDeadEnd(id="X2", command=command, error="no such package", tries=3)
            for command in self.which("dead-end", at, agent)
        ]
        codes = ["owner-missing"] if dice.random() < 0.1 else []
        codes += list(self.which("lifted-hold", at, agent))
        reasons = [HoldReason(code=c, level="hold", fact=c, reproduce="", lifts="") for c in codes]
        back = [*body.put_back, *self.which("vain-touch", at, agent)] if body.run.resumed_from else body.put_back
        hold = replace(body.hold, reasons=reasons)
        self.year.records.append(
            replace(record, body=replace(body, outcomes=told, checks=checks, dead_ends=dead, hold=hold, put_back=back))
        )
        for code in codes:
            if dice.random() < (0.1 if code == "owner-missing" else 0.9):
                lift = Lifted(task=body.task.id, because="", by="@ada", codes=[code], packet=record.id)
                self._beside(record, f"lift-{code}", lift)
        self._runs_of_checks(record, agent)

    def _runs_of_checks(self, record: Record, agent: str | None) -> None:
        """A check on inputs of its own; where the cause strikes, once more."""
        for kind, name in self._causes:
            if kind != "redundant-check":
                continue
            when = datetime.fromisoformat(record.at)
            evidence = _evidence(f"{name} {record.id}", when, check=name)
            self._beside(record, f"ran-{name}", evidence)
            for again in range(self.happens(kind, name, record.at, agent)):
                self._beside(record, f"again-{name}", evidence, later=1 + again)


def _check(name: str, command: str, *warnings: str) -> PacketCheck:
    return PacketCheck(
        name=name, command=command, result="PASSED", class_="OBSERVED", freshness=Freshness(state="FRESH", because=[]),
        tier=None, inputs=Inputs(fingerprint=None, files=None), exit=0, seconds=1.0, warnings=list(warnings),
        kind="test",
    )  # fmt: skip


def year(seed: int, causes: tuple[Cause, ...], *, tasks: int = 400, days: int = YEAR) -> Year:
    """A whole year."""
    maker = Quiet(seed, days)
    for _ in range(tasks):
        maker.task()
    planter = Planter(seed, causes)
    planter.year.touches.extend(maker.history.touches)
    for record in maker.history.records:
        planter.put(record)
    return planter.year


def ago(days: float) -> str:
    """An instant so many days before the end of the year."""
    return _text(NOW - timedelta(days=days))


MEASURED = ("contradicted-claim", "undeclared-check", "stray-path", "vain-touch", "false-denial", "redundant-check")
"""Kinds whose occasions are independent of each other: the change that was planted is the true one."""


def turned(seed: int, half: str) -> tuple[Cause, ...]:
    """A cause of each kind, whose share an edit changed at that instant by some chance amount, or not at all."""
    dice = random.Random(f"turned {seed}")
    return tuple(
        Cause(kind, f"subject/{kind}", share, dice.choice((share, share * dice.random(), 0.0)), half)
        for kind in MEASURED
        for share in (dice.uniform(0.1, 0.6),)
    )


def effects(seed: int, *, tasks: int = 400) -> Iterator[tuple[Cause, Effect]]:
    """Each planted change beside the effect that is told of it."""
    half = ago(YEAR / 2)
    causes = turned(seed, half)
    found = {(one.kind, one.subject): one for one in year(seed, causes, tasks=tasks).causes()}
    for cause in causes:
        if cause.name in found:
            yield cause, effect(found[cause.name], half)


def holds(cause: Cause, told: Effect) -> bool:
    """Whether the true change lies in the stated interval."""
    return told.low <= _counted(cause, cause.later) - _counted(cause, cause.share) <= told.high


def _counted(cause: Cause, share: float | None) -> float:
    """The share of misses among the chances: a check that ran once more is a chance of its own."""
    rate = cause.share if share is None else share
    return rate / (1 + rate) if cause.kind == "redundant-check" else rate


def main() -> int:
    """What is named, and how often an effect lies where it is said to; 1 where something else is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--tasks", type=int, default=400)
    asked = parser.parse_args()
    wrong = inside = told = 0
    for seed in range(asked.seeds):
        dice = random.Random(f"which {seed}")
        planted = tuple(cause for cause in ALL if dice.random() < 0.5) if seed else ()
        named = {(one.kind, one.subject) for one in proposals(year(seed, planted, tasks=asked.tasks).causes())}
        missed, extra = {cause.name for cause in planted} - named, named - {cause.name for cause in planted}
        wrong += len(missed) + len(extra)
        print(f"seed {seed}: {len(planted)} planted, {len(named)} named", *sorted(missed), *sorted(extra))
        for cause, found in effects(seed, tasks=asked.tasks):
            inside, told = inside + holds(cause, found), told + 1
    print(f"the true change lies in the stated 95 % interval in {inside} of {told} ({inside / told:.1%})")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
