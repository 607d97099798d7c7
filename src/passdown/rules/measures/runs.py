"""The resumed runs of the record: what each changed, where it strayed, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from passdown.model.packet import FileChange, Packet
from passdown.rules.instants import seconds
from passdown.rules.measures.reopened import superseded, unkept
from passdown.rules.measures.trail import Touch, Trail
from passdown.rules.task import Stated

ATTEMPTED = ("outside-blocked", "asked")
LANDED = ("outside-landed", "bypass")
WRITTEN = ("inside", "before-read-back", "would-outside-blocked", "would-not-read-back", *LANDED)
"""What was let through or came to be; a write that was refused is no edit."""
_OTHERS = {"foreign", "hook"}
"""Who changed a file where not the run itself did: another, or a formatter in a git hook."""


class ResumedRun(Struct, frozen=True):
    """A run that started from the packet ``source``.

    ``files`` are the paths that it changed; ``outside``, ``put_back`` (as they had been) and ``blank`` (white space
    alone) are of them. ``attempted`` and ``landed`` are paths outside; ``reopened``: decisions. ``undone``: when, how,
    by the record.
    """

    id: str
    task: str
    source: str
    began: str
    ended: str | None
    agent: str | None
    owner: str | None
    template: str
    repository: str
    files: frozenset[str]
    outside: frozenset[str]
    put_back: frozenset[str]
    blank: frozenset[str]
    attempted: frozenset[str]
    landed: frozenset[str]
    reopened: tuple[str, ...]
    first_edit: str | None
    undone: tuple[str, str] | None = None

    @property
    def unnecessary(self) -> frozenset[str]:
        """Files that it need not have touched."""
        return self.outside | self.put_back | self.blank

    @property
    def strayed(self) -> bool:
        """Whether it went for a path outside, or reopened what was settled."""
        return bool(self.attempted or self.landed or self.reopened)


class _Stretch(Struct):
    """One run in the making: from and until when its records are its own, and the packets that sealed it."""

    id: str
    source: str
    began: str
    agent: str | None = None
    since: float = 0.0
    until: float | None = None
    packets: list[Stated[Packet]] = field(default_factory=list)

    @property
    def last(self) -> Stated[Packet] | None:
        return self.packets[-1] if self.packets else None

    def covers(self, at: str) -> bool:
        """Whether something of that instant belongs to this run."""
        when = seconds(at) or 0.0
        return self.since <= when and (self.until is None or when < self.until)


def resumed_runs(found: Mapping[str, Trail]) -> list[ResumedRun]:
    """Every resumed run, oldest first."""
    sealed = {packet.id: packet for trail in found.values() for packet in trail.packets}
    runs = [run for trail in found.values() for run in runs_of(trail, sealed)]
    return sorted(runs, key=lambda run: (run.began, run.id))


def runs_of(trail: Trail, sealed: Mapping[str, Stated[Packet]]) -> Iterator[ResumedRun]:
    """A task's resumed runs by their begin; ``sealed``: packets by id, of which some are what runs started from."""
    stretches = _stretches(trail)
    undone = _rolled_back(trail, stretches)
    for one in stretches:
        yield _run(trail, one, sealed.get(one.source), undone.get(one.id))


def _stretches(trail: Trail) -> list[_Stretch]:
    """The task's resumed runs by their begin; repeating `resume` renews a run, it begins none."""
    found: dict[str, _Stretch] = {}
    for resumed in trail.resumes:
        body = resumed.body
        found.setdefault(body.run, _Stretch(body.run, body.packet, resumed.at, body.agent))
    begun: list[str] = []
    for packet in trail.packets:
        run = packet.body.run
        if run.resumed_from is not None:
            found.setdefault(run.id, _Stretch(run.id, run.resumed_from, run.started or packet.at))
        if run.id in found:
            found[run.id].packets.append(packet)
        else:
            begun.append(run.started or packet.at)
    for one in found.values():
        one.since = seconds(one.began) or 0.0
    starts = {one.since for one in found.values()} | {seconds(at) or 0.0 for at in begun}
    for one in found.values():
        one.until = min((start for start in starts if start > one.since), default=None)
    return sorted(found.values(), key=lambda one: (one.since, one.id))


def _run(trail: Trail, one: _Stretch, source: Stated[Packet] | None, undone: tuple[str, str] | None) -> ResumedRun:
    last = one.last
    about = source or last
    changed = {change.path: change for packet in one.packets for change in _own(packet.body.files)}
    back = frozenset(path for packet in one.packets for path in packet.body.put_back) - set(changed)
    seen = [touch for touch in trail.touches if one.covers(touch.at)]
    outside = frozenset(path for path, change in changed.items() if change.inside is False)
    judged = (j.body for j in trail.judged if j.body.holds is False and one.covers(j.at))
    landed = outside.union(*(body.violations for body in judged), _paths(seen, LANDED))
    edits = [touch.at for touch in seen if touch.where in WRITTEN]
    return ResumedRun(
        id=one.id,
        task=trail.id,
        source=one.source,
        began=one.began,
        ended=(last.body.run.ended or last.at) if last is not None else None,
        agent=last.body.run.agent if last is not None and last.body.run.agent else one.agent,
        owner=about.body.resume_owner if about is not None else None,
        template=about.body.template if about is not None else "",
        repository=about.body.place.repository if about is not None else "",
        files=back.union(changed),
        outside=outside,
        put_back=back,
        blank=frozenset(path for path, change in changed.items() if change.whitespace_only),
        attempted=_paths(seen, ATTEMPTED),
        landed=landed,
        reopened=tuple(dict.fromkeys((*superseded(trail, one.covers), *unkept(trail, one.began, changed)))),
        first_edit=min(edits, key=lambda at: seconds(at) or 0.0, default=None),
        undone=undone,
    )


def _own(files: Iterable[FileChange]) -> Iterator[FileChange]:
    return (change for change in files if not change.by or set(change.by) - _OTHERS)


def _paths(touches: Iterable[Touch], where: tuple[str, ...]) -> frozenset[str]:
    return frozenset(touch.path for touch in touches if touch.where in where)


def _rolled_back(trail: Trail, stretches: Sequence[_Stretch]) -> dict[str, tuple[str, str]]:
    """Runs whose work a rollback took back: those that began from the packet it returned to, or from a later one."""
    place = {packet.id: packet.order for packet in trail.packets}
    undone: dict[str, tuple[str, str]] = {}
    for stated in trail.rolled_back:
        to = place.get(stated.body.packet)
        for one in stretches:
            since = place.get(one.source)
            before = one.last.order < stated.order if one.last is not None else one.began <= stated.at
            if to is not None and since is not None and since >= to and before:
                undone.setdefault(one.id, (stated.at, "rollback"))
    closed = trail.closed
    if closed is not None and closed.body.outcome == "rolled-back":
        for one in stretches[-1:]:
            undone.setdefault(one.id, (closed.at, "outcome"))
    return undone
