"""What else the record tells of handoffs: waste, doubt, and how long people and agents take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from passdown.model.event import ReadBack
from passdown.model.packet import Packet
from passdown.rules.decide import Asked
from passdown.rules.instants import seconds
from passdown.rules.measures.numbers import Metric, each, median, share
from passdown.rules.measures.runs import ATTEMPTED, ResumedRun
from passdown.rules.measures.trail import Trail
from passdown.rules.measures.window import Window
from passdown.rules.task import Stated

_KNOWN = ("PASSED", "FAILED")
_UNSUPPORTED = ("CLAIMED", "CONTRADICTED")


def redundant_checks(found: Mapping[str, Trail], window: Window) -> Metric:
    """Check runs whose result was known: the same check, definition, inputs and environment before / all."""
    redundant = total = 0
    for trail in found.values():
        known: set[tuple[str, str, str, str]] = set()
        for stated in trail.evidence:
            body = stated.body
            key = (body.check, body.definition.digest, body.inputs.digest, body.environment.digest)
            if window.holds(stated.at):
                total += 1
                redundant += key in known
            if body.result in _KNOWN:
                known.add(key)
    return share("redundant-check-runs", redundant, total)


def unsupported_claims(found: Mapping[str, Trail], window: Window) -> Metric:
    """What agents said that nothing shows, or that the facts refute, for each packet."""
    packets = [packet.body for trail in found.values() for packet in trail.packets if window.holds(packet.at)]
    said = sum(outcome.class_ in _UNSUPPORTED for packet in packets for outcome in packet.outcomes)
    return each("unsupported-claims-per-packet", said, len(packets))


def holds_found_right(found: Mapping[str, Trail], window: Window) -> Metric:
    """Packets on HOLD that a person answered otherwise than by letting it go on / those that a person answered."""
    answers = [
        right
        for trail in found.values()
        for packet in trail.packets
        if packet.body.hold.state == "HOLD" and window.holds(packet.at)
        if (right := _found_right(found, trail, packet)) is not None
    ]
    return share("holds-found-right", sum(answers), len(answers))


def _found_right(found: Mapping[str, Trail], trail: Trail, packet: Stated[Packet]) -> bool | None:
    """The first answer of a person to that hold: a lift or an approval says that it was wrong."""
    answers = [(lift.order, False) for lift in trail.lifts if lift.body.packet in (None, packet.id)]
    answers += [(v.order, v.body.answer != "approve") for v in trail.verdicts if v.body.packet == packet.id]
    answers += [(note.order, True) for note in trail.notes if note.body.by == "person" and note.body.kind == "answer"]
    answers += [
        (other.opened.order, True)
        for other in found.values()
        if other.opened is not None and other.opened.body.from_packet == packet.id
    ]
    if trail.closed is not None:
        answers.append((trail.closed.order, trail.closed.body.outcome != "completed"))
    after = sorted(answer for answer in answers if answer[0] > packet.order)
    return after[0][1] if after else None


def time_to_decide(found: Mapping[str, Trail], window: Window) -> Metric:
    """From a packet's seal to its first verdict."""
    first: dict[str, float] = {}
    for trail in found.values():
        sealed = {packet.id: seconds(packet.at) for packet in trail.packets if window.holds(packet.at)}
        for verdict in trail.verdicts:
            at, name = seconds(verdict.at), verdict.body.packet
            begun = sealed.get(name)
            if at is not None and begun is not None and name not in first:
                first[name] = at - begun
    return median("time-to-decide", list(first.values()))


def time_to_first_edit(runs: Iterable[ResumedRun], window: Window) -> Metric:
    """From a resume to the run's first write that a hook saw."""
    times = [
        first - began
        for run in runs
        if window.holds(run.began)
        and (first := seconds(run.first_edit)) is not None
        and (began := seconds(run.began)) is not None
    ]
    return median("time-to-first-edit", times)


def false_denials(found: Mapping[str, Trail], window: Window) -> Metric:
    """Writes refused that a person let in later by widening the boundary / all writes that a hook judged."""
    judged = refused = 0
    for trail in found.values():
        wider = list(_boundaries(trail))
        for touch in (touch for touch in trail.touches if window.holds(touch.at)):
            judged += touch.where in ("inside", *ATTEMPTED)
            at = seconds(touch.at) or 0.0
            refused += touch.where in ATTEMPTED and any(
                when > at and asked.decide(touch.path).inside for when, asked in wider
            )
    return share("false-denials", refused, judged)


def _boundaries(trail: Trail) -> Iterator[tuple[float, Asked]]:
    said = [(verdict.at, verdict.body.boundary) for verdict in trail.verdicts]
    said += [(by_hand.at, by_hand.body.boundary) for by_hand in trail.boundaries]
    for at, boundary in said:
        yield seconds(at) or 0.0, Asked.of(boundary)


def first_try_readbacks(found: Mapping[str, Trail], window: Window) -> Metric:
    """Packets whose first read-back was right / packets that were read back."""
    first: dict[str, Stated[ReadBack]] = {}
    for trail in found.values():
        for stated in trail.readbacks:
            first.setdefault(stated.body.packet, stated)
    counted = [stated.body.accepted for stated in first.values() if window.holds(stated.at)]
    return share("first-try-readbacks", sum(counted), len(counted))
