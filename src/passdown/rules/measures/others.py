"""What else the record tells of handoffs: waste, doubt, and how long people and agents take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from passdown.model.event import ReadBack, TaskOpened
from passdown.model.evidence import Evidence
from passdown.model.packet import Packet
from passdown.rules.decide import Asked
from passdown.rules.instants import seconds
from passdown.rules.measures.numbers import Metric, each, median, share
from passdown.rules.measures.runs import ATTEMPTED, ResumedRun
from passdown.rules.measures.trail import Touch, Trail
from passdown.rules.task import Stated

T = TypeVar("T")
_KNOWN = ("PASSED", "FAILED")
_RAN = ("runner", "ci")
"""Who ran it where its result is known for good; what a hook or a transcript saw is run again by design."""
_UNSUPPORTED = ("CLAIMED", "CONTRADICTED")
Timed = Iterator[tuple[str | None, T]]
"""(instant, what it counts for)."""


def check_runs(found: Mapping[str, Trail]) -> Iterator[tuple[str, Stated[Evidence], bool]]:
    """Every run of a check with its task, and whether its result was known.

    It was where the same check, definition, inputs and environment had run before, in whichever task.
    """
    known: set[tuple[str, str, str, str]] = set()
    runs = [(stated.order, trail.id, stated) for trail in found.values() for stated in trail.evidence]
    for _, task, stated in sorted(runs, key=lambda run: run[0]):
        body = stated.body
        key = (body.check, body.definition.digest, body.inputs.digest, body.environment.digest)
        yield task, stated, key in known
        if body.result in _KNOWN and body.observed_by in _RAN:
            known.add(key)


def checks(found: Mapping[str, Trail], tasks: Mapping[str, Trail]) -> Timed[bool]:
    """For each check run of the ``tasks`` whether its result was known."""
    return ((stated.at, known) for task, stated, known in check_runs(found) if task in tasks)


def checks_of(ran: Sequence[bool]) -> Metric:
    """Check runs whose result was known / all."""
    return share("redundant-check-runs", sum(ran), len(ran))


def claims(found: Mapping[str, Trail]) -> Timed[int]:
    """For each packet what agents said that nothing shows, or that the facts refute."""
    for trail in found.values():
        for packet in trail.packets:
            yield packet.at, sum(outcome.class_ in _UNSUPPORTED for outcome in packet.body.outcomes)


def claims_of(said: Sequence[int]) -> Metric:
    """Unsupported claims for each packet."""
    return each("unsupported-claims-per-packet", sum(said), len(said))


def holds(found: Mapping[str, Trail], tasks: Mapping[str, Trail]) -> Timed[bool]:
    """For each packet on HOLD that a person answered whether otherwise than by letting it go on."""
    replanned: dict[str, list[Stated[TaskOpened]]] = {}
    for trail in found.values():
        if trail.opened is not None and trail.opened.body.from_packet is not None:
            replanned.setdefault(trail.opened.body.from_packet, []).append(trail.opened)
    for trail in tasks.values():
        for packet in trail.packets:
            if packet.body.hold.state == "HOLD":
                right = _found_right(trail, packet, replanned.get(packet.id, ()))
                if right is not None:
                    yield packet.at, right


def holds_of(answers: Sequence[bool]) -> Metric:
    """Holds that a person found right / those that a person answered."""
    return share("holds-found-right", sum(answers), len(answers))


def _found_right(trail: Trail, packet: Stated[Packet], replanned: Sequence[Stated[TaskOpened]]) -> bool | None:
    """The first answer of a person to that hold: a lift or an approval says that it was wrong."""
    answers = [(lift.order, False) for lift in trail.lifts if lift.body.packet in (None, packet.id)]
    answers += [(v.order, v.body.answer != "approve") for v in trail.verdicts if v.body.packet == packet.id]
    answers += [(note.order, True) for note in trail.notes if note.body.by == "person" and note.body.kind == "answer"]
    answers += [(opened.order, True) for opened in replanned]
    if trail.closed is not None:
        answers.append((trail.closed.order, trail.closed.body.outcome != "completed"))
    after = sorted(answer for answer in answers if answer[0] > packet.order)
    return after[0][1] if after else None


def decisions(found: Mapping[str, Trail]) -> Timed[float]:
    """For each packet that was answered the seconds from its seal to its first verdict."""
    first: set[str] = set()
    for trail in found.values():
        sealed = {packet.id: packet.at for packet in trail.packets} if trail.verdicts else {}
        for verdict in trail.verdicts:
            name = verdict.body.packet
            begun, at = seconds(sealed.get(name)), seconds(verdict.at)
            if begun is not None and at is not None and name not in first:
                first.add(name)
                yield sealed[name], at - begun


def decisions_of(took: Sequence[float]) -> Metric:
    """From a packet's seal to its first verdict."""
    return median("time-to-decide", took)


def first_edits(runs: Iterable[ResumedRun]) -> Timed[float]:
    """For each run of which a hook saw a write the seconds from the resume to the first one."""
    for run in runs:
        first, began = seconds(run.first_edit), seconds(run.began)
        if first is not None and began is not None:
            yield run.began, first - began


def first_edits_of(took: Sequence[float]) -> Metric:
    """From a resume to the run's first write that a hook saw."""
    return median("time-to-first-edit", took)


def writes(found: Mapping[str, Trail]) -> Timed[bool]:
    """For each write that a hook judged whether it was refused and a person let it in later by widening."""
    for trail in found.values():
        refused = any(touch.where in ATTEMPTED for touch in trail.touches)
        wider = list(_boundaries(trail)) if refused else []
        for touch in trail.touches:
            if touch.where == "inside" or touch.where in ATTEMPTED:
                yield touch.at, touch.where in ATTEMPTED and _let_in(touch, wider)


def _let_in(touch: Touch, wider: Sequence[tuple[float, Asked]]) -> bool:
    at = seconds(touch.at) or 0.0
    return any(when > at and asked.decide(touch.path).inside for when, asked in wider)


def writes_of(judged: Sequence[bool]) -> Metric:
    """Writes refused that a person let in later by widening the boundary / all writes that a hook judged."""
    return share("false-denials", sum(judged), len(judged))


def _boundaries(trail: Trail) -> Iterator[tuple[float, Asked]]:
    said = [(verdict.at, verdict.body.boundary) for verdict in trail.verdicts]
    said += [(by_hand.at, by_hand.body.boundary) for by_hand in trail.boundaries]
    for at, boundary in said:
        yield seconds(at) or 0.0, Asked.of(boundary)


def readbacks(found: Mapping[str, Trail]) -> Timed[bool]:
    """For each packet that was read back whether the first one was right."""
    first: dict[str, Stated[ReadBack]] = {}
    for trail in found.values():
        for stated in trail.readbacks:
            first.setdefault(stated.body.packet, stated)
    return ((stated.at, stated.body.accepted) for stated in first.values())


def readbacks_of(accepted: Sequence[bool]) -> Metric:
    """Packets whose first read-back was right / packets that were read back."""
    return share("first-try-readbacks", sum(accepted), len(accepted))
