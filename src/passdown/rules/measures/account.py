"""What one task brings to the numbers: as little as any window of them needs, so that it can be kept.

Instants are seconds since 1970, None: not known. An order is (Lamport, writer, sequence), as of records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from passdown.model.packet import Packet
from passdown.rules.instants import seconds
from passdown.rules.measures import others
from passdown.rules.measures.others import Order
from passdown.rules.measures.runs import ResumedRun, runs_of
from passdown.rules.measures.trail import Trail
from passdown.rules.task import Stated

Judged = list[tuple[float, bool]]
"""(when, whether it was so)."""


class Change(Struct, frozen=True, array_like=True, gc=False):
    """Work as git can find it again: in which repository, the trees before and after, the commit that it began on."""

    repository: str
    before: str
    after: str
    over: str | None


class Run(Struct, frozen=True, array_like=True, gc=False):
    """A resumed run in numbers.

    ``sealed``: a packet ends it at ``end``, which is else its begin; ``undone``: when, how. ``abroad``: the packet that
    it started from is none of its task's, and tells ``owner``, ``template`` and ``repository`` where it is found.
    """

    id: str
    task: str
    source: str
    abroad: bool
    began: float | None
    end: float
    sealed: bool
    agent: str | None
    owner: str | None
    template: str
    repository: str
    files: int
    outside: int
    put_back: int
    blank: int
    unnecessary: int
    attempted: bool
    landed: bool
    reopened: bool
    first_edit: float | None
    undone: tuple[float | None, str] | None
    change: Change | None

    @property
    def strayed(self) -> bool:
        """Whether it went for a path outside, or reopened what was settled."""
        return self.attempted or self.landed or self.reopened


class End(Struct, frozen=True, array_like=True, gc=False):
    """How the task ended.

    Of a completed one: each acceptance check ``verified``, or none there (``unchecked``), or all but for changed tests
    that somebody ``accepted``.
    """

    at: float | None
    outcome: str
    verified: bool = False
    unchecked: bool = False
    accepted: bool = False

    @classmethod
    def of(cls, at: str, outcome: str, acceptance: Mapping[str, str], accepted: Iterable[str] = ()) -> End:
        """From how each acceptance check stood, and those whose changed tests were accepted."""
        when = seconds(at)
        if outcome != "completed":
            return cls(when, outcome)
        if not acceptance:
            return cls(when, outcome, unchecked=True)
        failing = [name for name, class_ in acceptance.items() if class_ != "VERIFIED"]
        return cls(when, outcome, verified=not failing, accepted=bool(failing) and set(failing) <= set(accepted))


class Last(Struct, frozen=True, array_like=True, gc=False):
    """The last packet of a task that nobody closed: what git's history may tell of its work."""

    at: str
    order: Order
    repository: str
    branch: str | None
    base: str | None
    tree: str
    acceptance: dict[str, str]


class Account(Struct, frozen=True, array_like=True, gc=False):
    """``apart``: the writer who alone tells of this task and is not believed: then there is nothing else.

    ``runs`` by their begin; ``packets``: id, resume owner, template, repository; ``replans``: the packet, of whichever
    task, that this task was opened from.
    """

    id: str
    apart: str = ""
    title: str = ""
    runs: list[Run] = field(default_factory=list)
    packets: list[tuple[str, str | None, str, str]] = field(default_factory=list)
    end: End | None = None
    last: Last | None = None
    replans: tuple[str, Order] | None = None
    holds: list[others.Hold] = field(default_factory=list)
    checks: list[others.CheckRun] = field(default_factory=list)
    claims: list[tuple[float, int]] = field(default_factory=list)
    decisions: list[tuple[float, float]] = field(default_factory=list)
    writes: Judged = field(default_factory=list)
    readbacks: Judged = field(default_factory=list)


def accounts(found: Mapping[str, Trail]) -> dict[str, Account]:
    """Of every task."""
    return {name: account_of(trail) for name, trail in found.items()}


def account_of(trail: Trail) -> Account:
    """Of one task."""
    own = {packet.id: packet for packet in trail.packets}
    closed, opened = trail.closed, trail.opened
    return Account(
        id=trail.id,
        title=_title(trail),
        runs=[_run(trail, run, own) for run in runs_of(trail, own)],
        packets=[(p.id, p.body.resume_owner, p.body.template, p.body.place.repository) for p in trail.packets],
        end=End.of(closed.at, closed.body.outcome, closed.body.acceptance, closed.body.accepted) if closed else None,
        last=_last(trail.packets[-1]) if trail.packets and closed is None else None,
        replans=(opened.body.from_packet, opened.order) if opened and opened.body.from_packet else None,
        holds=list(others.holds(trail)),
        checks=list(others.checks(trail)),
        claims=list(others.claims(trail)),
        decisions=list(others.decisions(trail)),
        writes=list(others.writes(trail)),
        readbacks=list(others.readbacks(trail)),
    )


def _title(trail: Trail) -> str:
    if trail.packets:
        return trail.packets[-1].body.task.title
    return trail.opened.body.title if trail.opened is not None else ""


def _run(trail: Trail, run: ResumedRun, own: Mapping[str, Stated[Packet]]) -> Run:
    began, first = seconds(run.began), seconds(run.first_edit)
    return Run(
        id=run.id,
        task=trail.id,
        source=run.source,
        abroad=run.source not in own,
        began=began,
        end=seconds(run.ended) or began or 0.0,
        sealed=run.ended is not None,
        agent=run.agent,
        owner=run.owner,
        template=run.template,
        repository=run.repository,
        files=len(run.files),
        outside=len(run.outside),
        put_back=len(run.put_back),
        blank=len(run.blank),
        unnecessary=len(run.unnecessary),
        attempted=bool(run.attempted),
        landed=bool(run.landed),
        reopened=bool(run.reopened),
        first_edit=first - began if first is not None and began is not None else None,
        undone=(seconds(run.undone[0]), run.undone[1]) if run.undone is not None else None,
        change=_change(trail, run),
    )


def _change(trail: Trail, run: ResumedRun) -> Change | None:
    """From the resume to the run's last packet, as git would commit both where both are known."""
    last = next((packet for packet in reversed(trail.packets) if packet.body.run.id == run.id), None)
    begun = next((resumed.body for resumed in trail.resumes if resumed.body.run == run.id), None)
    if last is None or begun is None:
        return None
    place = last.body.place
    committed = begun.commit_tree is not None and place.commit_tree is not None
    before, after = (begun.commit_tree, place.commit_tree) if committed else (begun.tree, place.tree)
    return Change(place.repository, before or "", after or "", begun.head) if before != after else None


def _last(packet: Stated[Packet]) -> Last:
    place = packet.body.place
    return Last(
        at=packet.at,
        order=packet.order,
        repository=place.repository,
        branch=place.branch,
        base=place.base,
        tree=place.commit_tree or place.tree,
        acceptance={done.check: done.class_ or "not measured" for done in packet.body.task.done},
    )
