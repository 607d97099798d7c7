"""A task as its records tell it."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct, field

from passdown.model.boundary import Boundary, Source
from passdown.model.event import (
    Closed,
    GuardSwitched,
    Held,
    Judged,
    Lifted,
    Note,
    ReadBack,
    Resumed,
    RolledBack,
    TaskOpened,
    Verdict,
)
from passdown.model.forge import ForgeRead
from passdown.model.packet import Decision, Goal, Item, Packet, TaskState, TriedDeadEnd
from passdown.rules.instants import days_between

Spot = tuple[str, str | None]
"""(worktree_id, branch): what a boundary binds to."""
Body_co = TypeVar("Body_co", covariant=True)


IDLE_DAYS = 7.0
STRICTNESS = ("approve", "narrow", "reassign", "rollback")
NO_GOAL = Goal(text="", source="none")


class Stated(Struct, Generic[Body_co], frozen=True):
    """One statement's body with the record that carries it; ``id`` is the packet's digest for packets.

    ``counts``: this clone made it, or one that an allowed signer vouched for.
    """

    id: str
    at: str
    order: tuple[int, str, int]
    body: Body_co
    trusted: bool = True
    signers: tuple[str, ...] = ()
    here: bool = True
    counts: bool = True


class InForce(Struct, frozen=True):
    """The boundary that binds one spot, who set it, by which record; ``touched`` is the spot's last record."""

    boundary: Boundary
    source: Source
    record: str
    at: str
    touched: str
    packet: str | None = None


class RunView(Struct, frozen=True):
    """One run. ``packet`` sealed its end (None: not packed yet); ``resumed_from`` is the packet it started from."""

    id: str
    spot: Spot
    started: str | None
    agent: str | None = None
    session: str | None = None
    from_: int | None = None
    through: int | None = None
    ended: str | None = None
    end: str = "running"
    packet: str | None = None
    resumed_from: str | None = None


class ClosedItem(Struct, frozen=True):
    """An item that is no longer open: closed by ``evidence``, an ``answer`` or a ``waiver``, at the record ``by``."""

    item: Item
    how: str
    by: str
    because: str


class AcceptedBy(Struct, frozen=True):
    """Who accepted one change to the tests; ``self_``: the person who ran the agent."""

    by: str
    self_: bool


class Reopened(Struct, frozen=True):
    """A settled decision (D1) that an agent's own would replace: its words, when it said so. It stays settled."""

    decision: str
    by: str
    at: str


class TaskView(Struct):
    """All that is known of one task, folded from its records in their order."""

    id: str
    title: str = ""
    goal: Goal = NO_GOAL
    done: list[str] = field(default_factory=list)
    state: TaskState = "open"
    resume_owner: str | None = None
    opened: Stated[TaskOpened] | None = None
    runs: list[RunView] = field(default_factory=list)
    packets: list[Stated[Packet]] = field(default_factory=list)
    resumes: list[Stated[Resumed]] = field(default_factory=list)
    verdicts: list[Stated[Verdict]] = field(default_factory=list)
    verdict: Stated[Verdict] | None = None
    in_force: dict[Spot, InForce] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    closed_items: list[ClosedItem] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    dead_ends: list[TriedDeadEnd] = field(default_factory=list)
    reopened: list[Reopened] = field(default_factory=list)
    tests_accepted: dict[str, AcceptedBy] = field(default_factory=dict)
    notes: list[Stated[Note]] = field(default_factory=list)
    held: Stated[Held] | None = None
    lifts: list[Stated[Lifted]] = field(default_factory=list)
    judged: list[Stated[Judged]] = field(default_factory=list)
    rolled_back: list[Stated[RolledBack]] = field(default_factory=list)
    readbacks: list[Stated[ReadBack]] = field(default_factory=list)
    gaps: list[Stated[GuardSwitched]] = field(default_factory=list)
    outcome: Stated[Closed] | None = None
    forge: Stated[ForgeRead] | None = None
    lapsed: dict[str, str] = field(default_factory=dict)
    claims: dict[Spot, tuple[int, str, int]] = field(default_factory=dict)
    last_at: str = ""

    @property
    def latest(self) -> Stated[Packet] | None:
        """The newest packet."""
        return self.packets[-1] if self.packets else None

    @property
    def ended(self) -> bool:
        """Whether the task has an outcome."""
        return self.outcome is not None

    def next_boundary(self) -> Boundary | None:
        """What `resume` arms: a hand-set narrowing, the verdict's in force, else the latest packet's, else by hand."""
        newest = max(self.in_force.values(), key=lambda f: f.boundary.version, default=None)
        sealed = self.latest.body.boundary if self.latest else None
        decided = self.verdict.body.boundary if self.verdict else None
        candidates = [b for b in (decided or sealed, newest.boundary if newest else None) if b is not None]
        return max(candidates, key=lambda b: b.version, default=None)

    def open_run(self) -> Stated[Resumed] | None:
        """The record that began the run which is open: the newest was resumed and not packed since.

        Renewing a resume begins nothing: the first of its run counts.
        """
        last = self.resumes[-1] if self.resumes else None
        if last is None or self.ended or (self.latest is not None and self.latest.order > last.order):
            return None
        return next(resumed for resumed in self.resumes if resumed.body.run == last.body.run)

    def off_until(self, worktree_id: str) -> str | None:
        """Until when a person switched the guard of that worktree off; None where it is on."""
        said = [gap.body.until for gap in self.gaps if gap.body.worktree_id == worktree_id]
        return said[-1] if said else None

    def failed_readbacks(self, packet: str | None) -> int:
        """How many tries to read this packet back did not match since the last one here that did."""
        said = [s for s in self.readbacks if s.body.packet == packet]
        tries = [s.body.accepted for s in said if s.here or not s.body.accepted]
        return len(tries) - max((at + 1 for at, accepted in enumerate(tries) if accepted), default=0)

    def asked_back(self, decision: Stated[Verdict] | None) -> Verdict | None:
        """The answer that asks for a rollback which was not done since: to the packet that it names, no other."""
        if decision is None or decision.body.answer != "rollback":
            return None
        to = decision.body.to or decision.body.packet
        done = any(stated.order > decision.order and stated.body.packet == to for stated in self.rolled_back)
        return None if done else decision.body

    def decision_of(self, packet: str) -> Stated[Verdict] | None:
        """The verdict in force on one packet: the strictest among each reviewer's latest."""
        return in_force([v for v in self.verdicts if v.body.packet == packet])


def in_force(verdicts: list[Stated[Verdict]]) -> Stated[Verdict] | None:
    """The strictest among each reviewer's latest answer; among equals the newest.

    A hand-over is answered, and gone, as soon as its maintainer has answered.
    """
    latest = {v.body.by: v for v in sorted(verdicts, key=lambda v: v.order)}
    for name, given in list(latest.items()):
        answer = latest.get(given.body.assignee or "")
        if given.body.answer == "reassign" and answer is not None and answer.order > given.order:
            del latest[name]
    return max(latest.values(), key=lambda v: (STRICTNESS.index(v.body.answer), v.order), default=None)


def binding(task: TaskView, spot: Spot, now: str, *, merged: bool = False) -> InForce | None:
    """The boundary that binds this spot now: it ends with the outcome, the merge, or seven idle days."""
    found = task.in_force.get(spot)
    if found is None or task.ended or merged:
        return None
    idle = days_between(found.touched, now)
    return None if idle is not None and idle > IDLE_DAYS else found
