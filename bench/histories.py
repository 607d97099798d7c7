"""A seeded history of handoffs whose measures are known by construction: records, what hooks saw, and the truth.

``python bench/histories.py --tasks 10000 --seed 7`` prints the truth beside what ``passdown metrics`` counts.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import structs

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.event import Closed, Lifted, Note, ReadBack, Record, Resumed, RolledBack, Verdict
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Evidence, Fingerprint
from passdown.model.packet import (
    Commands,
    Decision,
    FileChange,
    Goal,
    Hold,
    Outcome,
    Packet,
    Place,
    Run,
    RunEnd,
    Task,
)
from passdown.rules.measures.account import accounts
from passdown.rules.measures.report import measure
from passdown.rules.measures.trail import Touch, trails
from passdown.rules.measures.window import Only, Window

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAYS = 120
WRITERS = ("w-ada", "w-bob", "w-eve")
AGENTS = ("claude", "codex")
OWNERS = ("@ada", "@bob", None)
TEMPLATES = ("general", "failing-test", "review-fixes")
YOUNG = 14.0
ACCEPTANCE: tuple[dict[str, str], ...] = (
    {"tests": "VERIFIED"},
    {"tests": "VERIFIED", "types": "VERIFIED"},
    {"tests": "VERIFIED", "types": "OBSERVED"},
    {},
)


@dataclass
class RunTruth:
    """What was planted in one resumed run."""

    task: str
    began: float
    ended: float | None
    agent: str
    owner: str | None
    template: str
    attempted: bool = False
    landed: bool = False
    reopened: bool = False
    outside: int = 0
    put_back: int = 0
    blank: int = 0
    fine: int = 0
    undone: float | None = None
    first_edit: float | None = None


@dataclass
class TaskTruth:
    """What was planted in one task."""

    id: str
    closed: float | None = None
    completed: bool = False
    checked: bool = True


@dataclass
class History:
    """``records`` in the order of writing, ``touches`` of the hooks, and the truth."""

    records: list[Record] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    runs: list[RunTruth] = field(default_factory=list)
    tasks: dict[str, TaskTruth] = field(default_factory=dict)
    evidence: list[tuple[float, bool]] = field(default_factory=list)
    readbacks: list[tuple[float, bool]] = field(default_factory=list)
    decided: list[tuple[float, float]] = field(default_factory=list)
    writes: list[tuple[float, bool]] = field(default_factory=list)
    claims: list[tuple[float, int]] = field(default_factory=list)
    holds: list[tuple[float, bool]] = field(default_factory=list)

    def truth(self, window: Window, now: float, agent: str | None = None) -> dict[str, tuple[float, int]]:
        """(numerator, denominator) of the measures that are planted, for one window."""
        runs = [run for run in self.runs if agent in (None, run.agent)]
        began = [run for run in runs if _in(window, run.began)]
        old = [run for run in began if (run.ended or run.began) + YOUNG * 86400 <= now]
        names = dict.fromkeys(run.task for run in runs)
        ended = [self.tasks[name] for name in names if _in(window, self.tasks[name].closed)]
        undone = [
            run for run in old if run.undone is not None and run.undone - (run.ended or run.began) <= YOUNG * 86400
        ]
        touched = sum(run.fine + run.outside + run.put_back + run.blank for run in began)
        found: dict[str, tuple[float, int]] = {
            "resumed-tasks-completed": (sum(task.completed and task.checked for task in ended), len(ended)),
            "reopened-scope-incidents": (sum(run.attempted or run.landed or run.reopened for run in began), len(began)),
            "unnecessary-file-touches": (sum(run.outside + run.put_back + run.blank for run in began), touched),
            "rollback-rate": (len(undone), len(old)),
        }
        if agent is None:
            ran = [known for at, known in self.evidence if _in(window, at)]
            back = [right for at, right in self.readbacks if _in(window, at)]
            found["redundant-check-runs"] = (sum(ran), len(ran))
            found["first-try-readbacks"] = (sum(back), len(back))
            took = [seconds for at, seconds in self.decided if _in(window, at)]
            found["time-to-decide"] = (sum(took), len(took))
            judged = [false for at, false in self.writes if _in(window, at)]
            said = [number for at, number in self.claims if _in(window, at)]
            held = [right for at, right in self.holds if _in(window, at)]
            found["false-denials"] = (sum(judged), len(judged))
            found["unsupported-claims-per-packet"] = (sum(said), len(said))
            found["holds-found-right"] = (sum(held), len(held))
        first = [run.first_edit - run.began for run in began if run.first_edit is not None]
        found["time-to-first-edit"] = (sum(first), len(first))
        return found


def _in(window: Window, at: float | None) -> bool:
    return at is not None and at <= window.end and (window.start is None or at > window.start)


class Maker:
    """Writes one history, task by task; every choice comes from ``seed``."""

    def __init__(self, seed: int, days: int = DAYS) -> None:
        self._dice = random.Random(seed)
        self._days = days
        self._number = 0
        self._known: set[tuple[str, ...]] = set()
        self._refused: list[tuple[float, str]] = []
        self._widened: list[tuple[float, str]] = []
        self.history = History()

    def _id(self, what: str) -> str:
        self._number += 1
        return hashlib.sha256(f"{what} {self._number}".encode()).hexdigest()

    def _put(self, body: Any, task: str, at: datetime, kind: str) -> str:
        """One record of a random writer; the clock goes up by one each time."""
        name = self._id(kind)
        order = (self._number, self._dice.choice(WRITERS), self._number)
        record = Record(id=name, type=kind, task=task, at=_text(at), writer=order[1], order=order, body=body)
        self.history.records.append(record)
        return name

    def task(self) -> None:
        """One task: a first packet, some resumed runs, an end or none."""
        dice = self._dice
        name = self._id("task")[:16]
        at = NOW - timedelta(days=dice.uniform(0, self._days), seconds=1)
        truth = self.history.tasks[name] = TaskTruth(name)
        template, owner = dice.choice(TEMPLATES), dice.choice(OWNERS)
        first = self._said(self._packet(name, self._id("run")[:16], None, [], (template, owner)))
        source = self._put(first, name, at, "packet")
        self._answer(first, source, name, at)
        made: list[RunTruth] = []
        for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
            at += timedelta(hours=dice.uniform(1, 40))
            if at > NOW:
                break
            source, at, run = self._resumed(name, source, at, (template, owner))
            made.append(run)
        self._end(truth, source, at, made)
        self._judged_writes()

    def _resumed(
        self, task: str, source: str, at: datetime, about: tuple[str, str | None]
    ) -> tuple[str, datetime, RunTruth]:
        dice = self._dice
        began, run = at, self._id("run")[:16]
        agent = dice.choice(AGENTS)
        truth = RunTruth(task, began.timestamp(), None, agent, about[1], about[0])
        self.history.runs.append(truth)
        resumed = Resumed(
            task=task, packet=source, run=run, boundary=_boundary(), agent=agent, worktree_id="wt", branch="main",
            tree="", head=None,
        )  # fmt: skip
        self._put(resumed, task, began, "resumed")
        if dice.random() < 0.2:
            self._put(resumed, task, began + timedelta(minutes=1), "resumed")  # renewed: no second run
        self._read_back(task, source, began)
        sealed = began + timedelta(minutes=dice.uniform(5, 300))
        self._writes(truth, task, began, sealed)
        if sealed > NOW or dice.random() < 0.05:  # died, nobody packed it
            return source, sealed, truth
        files, back = self._files(truth)
        packet = self._said(self._packet(task, run, source, files, about, agent=agent, ended=sealed, put_back=back))
        source = self._put(packet, task, sealed, "packet")
        self._answer(packet, source, task, sealed)
        truth.ended = sealed.timestamp()
        self._checks(task, sealed)
        self._decide(task, source, sealed)
        return source, sealed, truth

    def _read_back(self, task: str, source: str, began: datetime) -> None:
        if self._dice.random() < 0.5:
            return
        right = self._dice.random() < 0.7
        tries = (True,) if right else (False, True)
        known = any(r.body.packet == source for r in self.history.records[-40:] if isinstance(r.body, ReadBack))
        for number, accepted in enumerate(tries):
            at = began + timedelta(seconds=5 + number)
            body = ReadBack(task=task, packet=source, accepted=accepted, by="agent", worktree_id="wt", branch="main")
            self._put(body, task, at, "read-back")
        if not known:
            self.history.readbacks.append(((began + timedelta(seconds=5)).timestamp(), right))

    def _writes(self, truth: RunTruth, task: str, began: datetime, sealed: datetime) -> None:
        """What the hooks saw, and a decision that the agent reopens."""
        dice = self._dice
        for where, share in (("inside", 0.9), ("outside-blocked", 0.1), ("asked", 0.05), ("outside-landed", 0.07)):
            if dice.random() >= share:
                continue
            at = began + (sealed - began) * dice.uniform(0.1, 0.8)
            path = "src/a.py" if where == "inside" else f"other/{where}.py"
            self.history.touches.append(Touch(self._id("touch"), task, _text(at), path, where, "s1"))
            if where != "outside-landed":
                self._refused.append((at.timestamp(), path if where != "inside" else ""))
            truth.attempted |= where in ("outside-blocked", "asked")
            truth.landed |= where == "outside-landed"
            if where in ("inside", "outside-landed"):
                first = at.timestamp()
                truth.first_edit = min(truth.first_edit or first, first)
        if dice.random() < 0.05:
            truth.reopened = True
            note = Note(task=task, kind="decision", text="another way", by="agent", supersedes="D1")
            self._put(note, task, began + (sealed - began) / 2, "note")
        elif dice.random() < 0.05:  # D2 is the agent's own: nothing settled is reopened
            note = Note(task=task, kind="decision", text="another way", by="agent", supersedes="D2")
            self._put(note, task, began + (sealed - began) / 2, "note")

    def _files(self, truth: RunTruth) -> tuple[list[FileChange], list[str]]:
        dice = self._dice
        files = [_file(f"src/f{n}.py") for n in range(dice.randrange(5))]
        truth.fine = len(files)
        if dice.random() < 0.15:
            files.append(_file("README.md", inside=False))
            truth.outside, truth.landed = 1, True
        if dice.random() < 0.15:
            files.append(_file("src/spaces.py", whitespace_only=True))
            truth.blank = 1
        if dice.random() < 0.3:  # somebody else's, and a formatter's: nobody counts them
            files += [_file("mine.txt", inside=False, by=["foreign"]), _file("src/formatted.py", by=["hook"])]
        truth.put_back = dice.choice((0, 0, 0, 1, 2))
        return files, [f"src/back{n}.py" for n in range(truth.put_back)]

    def _checks(self, task: str, at: datetime) -> None:
        """Runs of a check, some of them of what is known: from this run or, by the same inputs, from another task."""
        dice = self._dice
        for number in range(dice.randrange(4)):
            inputs = f"{task} {at} {dice.randrange(2)}" if dice.random() < 0.9 else f"common {dice.randrange(40)}"
            environment = dice.choice(("e", "e", "e", "f"))
            result = dice.choice(("PASSED", "PASSED", "FAILED", "ERROR"))
            ran = dice.choice(("runner", "runner", "runner", "hook"))
            when = at + timedelta(seconds=number + 1)
            body = _evidence(inputs, when, environment=environment, result=result, observed_by=ran)
            self._put(body, task, when, "evidence")
            self.history.evidence.append((when.timestamp(), (inputs, environment) in self._known))
            if ran == "runner" and result != "ERROR":
                self._known.add((inputs, environment))

    def _decide(self, task: str, packet: str, at: datetime) -> None:
        if self._dice.random() < 0.5:
            return
        took = timedelta(seconds=self._dice.randrange(20, 4000))
        boundary = _boundary()
        asked = sorted({path for _, path in self._refused if path})
        if asked and self._dice.random() < 0.5:
            wider = self._dice.choice(asked)
            boundary = _boundary(wider)
            self._widened.append(((at + took).timestamp(), wider))
        verdict = Verdict(
            task=task, packet=packet, answer="approve", by="@ada", presence="terminal", self_=False, boundary=boundary,
            boundary_digest=boundary.digest, previous=None, owners=[],
        )  # fmt: skip
        self._put(verdict, task, at + took, "verdict")
        self.history.decided.append((at.timestamp(), took.total_seconds()))

    def _judged_writes(self) -> None:
        """Which of the task's writes were refused and let in later."""
        for at, path in self._refused:
            later = any(path == wider and when > at for when, wider in self._widened)
            self.history.writes.append((at, bool(path) and later))
        self._refused.clear()
        self._widened.clear()

    def _said(self, packet: Packet) -> Packet:
        """The packet with what its agent said, and in some a hold."""
        dice = self._dice
        classes = [dice.choice(("VERIFIED", "OBSERVED", "CLAIMED", "CONTRADICTED")) for _ in range(dice.randrange(3))]
        told = [Outcome(text="x", class_=one, evidence=[], because="") for one in classes]  # type: ignore[arg-type]
        hold = Hold(state="HOLD" if dice.random() < 0.1 else "GO")
        return structs.replace(packet, outcomes=told, hold=hold)

    def _answer(self, packet: Packet, name: str, task: str, at: datetime) -> None:
        """What a person did with the hold, at once; and what the packet counts for."""
        unsupported = sum(one.class_ in ("CLAIMED", "CONTRADICTED") for one in packet.outcomes)
        self.history.claims.append((at.timestamp(), unsupported))
        if packet.hold.state == "HOLD":
            right = self._dice.random() < 0.5
            answer = Note(task=task, kind="answer", text="yes", by="person", item="Q1")
            lift = Lifted(task=task, because="fine", by="@ada", packet=name)
            self._put(answer if right else lift, task, at + timedelta(milliseconds=5), "note" if right else "lifted")
            self.history.holds.append((at.timestamp(), right))

    def _end(self, truth: TaskTruth, packet: str, at: datetime, runs: list[RunTruth]) -> None:
        dice = self._dice
        when = at + timedelta(hours=dice.uniform(2, 30))
        if dice.random() < 0.25 or when > NOW:
            return
        outcome = dice.choice(("completed", "completed", "completed", "abandoned", "rolled-back", "replanned"))
        acceptance = dict(dice.choice(ACCEPTANCE))
        body = Closed(task=truth.id, outcome=outcome, because="", by="@ada", packet=packet, acceptance=acceptance)
        if dice.random() < 0.2:  # an inferred end that a person corrects, in whatever order the two arrive
            guess = Closed(task=truth.id, outcome="abandoned", because="", by="", inferred=True)
            self._put(guess, truth.id, when + timedelta(hours=1), "closed")
        self._put(body, truth.id, when, "closed")
        truth.closed = when.timestamp()
        truth.completed = outcome == "completed"
        truth.checked = bool(acceptance) and set(acceptance.values()) == {"VERIFIED"}
        if outcome == "rolled-back" and runs:
            self._undo(runs[-1], when)
        if runs and dice.random() < 0.1:
            self._roll_back(truth.id, runs, when)

    def _roll_back(self, task: str, runs: list[RunTruth], when: datetime) -> None:
        """Back to the packet that one of the runs began from: it and all after it are undone."""
        which = self._dice.randrange(len(runs))
        mine = [r for r in self.history.records[-80:] if r.task == task and isinstance(r.body, Resumed)]
        begun = list({record.body.run: record.body for record in reversed(mine)}.values())[::-1]
        source = begun[which].packet
        at = when + timedelta(hours=self._dice.uniform(0, 1000))
        if at > NOW:
            return
        body = RolledBack(task=task, packet=source, from_tree="", to_tree="", rescued="")
        self._put(body, task, at, "rolled-back")
        for number, run in enumerate(runs):
            if number >= which or begun[number].packet == source:
                self._undo(run, at, first=True)

    def _undo(self, run: RunTruth, at: datetime, *, first: bool = False) -> None:
        if first or run.undone is None:
            run.undone = at.timestamp()

    def _packet(  # noqa: PLR0913 -- what a packet of a history differs in
        self,
        task: str,
        run: str,
        source: str | None,
        files: list[FileChange],
        about: tuple[str, str | None],
        *,
        agent: str = "claude",
        ended: datetime | None = None,
        put_back: list[str] | None = None,
    ) -> Packet:
        goal = Goal(text="make it pass", source="user")
        decisions = [
            Decision(id="D1", text="cap 60 s", by="user", settled=True),
            Decision(id="D2", text="a loop", by="agent", settled=False),
        ]
        return Packet(
            packet=None, previous=None, sealed_at="", files=files, commands=Commands(run=0, failed=0), checks=[],
            task=Task(id=task, title="retry", goal=goal, done=[], state="handed-off"),
            run=Run(
                id=run, agent=agent, session="s1", from_=-1, through=9, started=None,
                ended=_text(ended) if ended else None, end=RunEnd(reason="finished", because=""), resumed_from=source,
            ),
            place=Place(
                repository="example/retry", worktree="/retry", branch="main", base=None, head=None, tree="",
                on_remote=None, worktree_id="wt",
            ),
            outcomes=[], items=[], decisions=decisions, dead_ends=[], boundary=_boundary(), checklist=[],
            template=about[0], resume_owner=about[1], reviewers=[], note=None, hold=Hold(state="GO"), guards=[],
            verdict=None, redactions={}, put_back=put_back or [],
        )  # fmt: skip


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _boundary(*more: str) -> Boundary:
    allow = [Entry(id=f"B{n}", path=path, because="changed") for n, path in enumerate(("src/", *more), 1)]
    return Boundary(version=1, source="reviewed", allow=allow, budget=Budget(new=2)).sealed()


def _file(path: str, **changes: Any) -> FileChange:
    values = {"path": path, "status": "modified", "added": 1, "removed": 1, "by": ["tool"], "inside": True}
    return FileChange(**{**values, **changes})


def _evidence(inputs: str, at: datetime, *, environment: str = "e", **changes: Any) -> Evidence:
    digest = hashlib.sha256(inputs.encode()).hexdigest()
    name = changes.pop("check", "tests")
    values: dict[str, Any] = {"result": "PASSED", "observed_by": "runner", **changes}
    return Evidence(
        check=name, definition=CheckDefinition(name=name, run="pytest -q"), argv=["pytest"], cwd=".",
        exit=0, signal=None, started=_text(at), seconds=1.0, output_digest="", output_bytes=0, tail="",
        inputs=Fingerprint(digest=digest, files=1, tier="whole-tree"), tree_before="", tree_after="", commit=None,
        environment=EnvironmentFingerprint(digest=environment, parts={}), **values,
    )  # fmt: skip


def history(tasks: int, seed: int) -> History:
    """A whole history."""
    maker = Maker(seed)
    for _ in range(tasks):
        maker.task()
    return maker.history


def disagreements(made: History, window: Window, agent: str | None = None) -> Iterator[str]:
    """Where the measures differ from the truth, one line each."""
    now = NOW.timestamp()
    found = accounts(trails(made.records, made.touches))
    counted = {m.name: m for m in measure(found, window, Only(agent=agent), now)}
    for name, (numerator, denominator) in made.truth(window, now, agent).items():
        metric = counted[name]
        rounded = 2e-3 * max(1, denominator) if metric.unit == "seconds" else 0.0  # instants have milliseconds
        if abs(metric.numerator - numerator) > rounded or metric.denominator != denominator:
            yield f"{name}: {metric.numerator} / {metric.denominator}, planted {numerator} / {denominator}"


def main() -> None:
    """Print the truth beside what is counted, and how long counting takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    made = history(asked.tasks, asked.seed)
    window = Window(None, NOW.timestamp())
    began = time.process_time()
    measure(accounts(trails(made.records, made.touches)), window, Only(), NOW.timestamp())
    took = time.process_time() - began
    wrong = list(disagreements(made, window))
    print(f"{asked.tasks:,} tasks, {len(made.records):,} records, {len(made.touches):,} touches: {took:.2f} s of CPU")
    for line in wrong or ["every measure equals what was planted"]:
        print(line)


if __name__ == "__main__":
    main()
