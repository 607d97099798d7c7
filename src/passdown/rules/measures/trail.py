"""Each task's records by kind, in their order: what the measures read.

It decides nothing; whose records are among those is decided before (:mod:`passdown.rules.measures.believed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from passdown.model.event import (
    BoundarySet,
    Closed,
    Judged,
    Lifted,
    Note,
    ReadBack,
    Record,
    Resumed,
    RolledBack,
    TaskOpened,
    Verdict,
)
from passdown.model.evidence import Evidence
from passdown.model.packet import Packet
from passdown.rules.measures.parts import EvidencePart, PacketPart
from passdown.rules.task import Stated


class Touch(Struct, frozen=True):
    """What an agent's hook saw of one path: ``where`` is inside, outside-blocked, asked, outside-landed or bypass."""

    id: str
    task: str | None
    at: str
    path: str
    where: str
    session: str | None = None


class Trail(Struct):
    """One task. ``opened`` is the newest `start`; ``closed``: a person's over an inferred one, ours over others'.

    Of packets and evidence there may be no more than :mod:`passdown.rules.measures.parts` says.
    """

    id: str
    opened: Stated[TaskOpened] | None = None
    packets: list[Stated[Packet]] = field(default_factory=list)
    resumes: list[Stated[Resumed]] = field(default_factory=list)
    verdicts: list[Stated[Verdict]] = field(default_factory=list)
    boundaries: list[Stated[BoundarySet]] = field(default_factory=list)
    readbacks: list[Stated[ReadBack]] = field(default_factory=list)
    lifts: list[Stated[Lifted]] = field(default_factory=list)
    notes: list[Stated[Note]] = field(default_factory=list)
    judged: list[Stated[Judged]] = field(default_factory=list)
    rolled_back: list[Stated[RolledBack]] = field(default_factory=list)
    evidence: list[Stated[Evidence]] = field(default_factory=list)
    closed: Stated[Closed] | None = None
    touches: list[Touch] = field(default_factory=list)


_LISTS: dict[type[Any], str] = {
    Packet: "packets",
    Resumed: "resumes",
    Verdict: "verdicts",
    BoundarySet: "boundaries",
    ReadBack: "readbacks",
    Lifted: "lifts",
    Note: "notes",
    Judged: "judged",
    RolledBack: "rolled_back",
    Evidence: "evidence",
    PacketPart: "packets",
    EvidencePart: "evidence",
}


def trails(records: Iterable[Record], touches: Iterable[Touch] = ()) -> dict[str, Trail]:
    """Every task, by id; in whatever order, and however often, its records and facts come."""
    found: dict[str, Trail] = {}
    once = {record.id: record for record in records if record.trusted}
    for record in sorted(once.values(), key=lambda record: record.order):
        name = record.task
        if name is not None:
            stated = Stated(record.id, record.at, record.order, record.body, here=record.here)
            _put(found.setdefault(name, Trail(name)), stated)
    for touch in sorted({touch.id: touch for touch in touches}.values(), key=lambda touch: (touch.at, touch.id)):
        if touch.task in found:
            found[touch.task].touches.append(touch)
    return found


def _weight(closed: Stated[Closed]) -> tuple[bool, bool]:
    return not closed.body.inferred, closed.here


def _put(trail: Trail, stated: Stated[Any]) -> None:
    body = stated.body
    if isinstance(body, Closed):
        known = trail.closed
        if known is None or _weight(stated) >= _weight(known):
            trail.closed = stated
    elif isinstance(body, TaskOpened):
        trail.opened = stated
    elif type(body) in _LISTS:
        getattr(trail, _LISTS[type(body)]).append(stated)
