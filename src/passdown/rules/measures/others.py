"""What else the record tells of handoffs: waste, doubt, and how long people and agents take.

What one task brings, and the measure of what all of them brought. What has no instant is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from passdown.model.evidence import Evidence
from passdown.model.packet import Packet
from passdown.rules.decide import Asked
from passdown.rules.instants import seconds
from passdown.rules.measures.numbers import Metric, each, median, share
from passdown.rules.measures.runs import ATTEMPTED
from passdown.rules.measures.trail import Touch, Trail
from passdown.rules.task import Stated

Order = tuple[int, str, int]
_KNOWN = ("PASSED", "FAILED")
_RAN = ("runner", "ci")
"""Who ran it where its result is known for good; what a hook or a transcript saw is run again by design."""
_UNSUPPORTED = ("CLAIMED", "CONTRADICTED")


class CheckRun(Struct, frozen=True, array_like=True, gc=False):
    """A check's run: ``what`` names check, definition, inputs and environment; ``settles``: its result is known."""

    order: Order
    at: float | None
    what: bytes
    settles: bool


class Hold(Struct, frozen=True, array_like=True, gc=False):
    """A packet on HOLD, and the first answer of a person to it: when in the order, and whether it was found right."""

    packet: str
    at: float
    order: Order
    answer: tuple[Order, bool] | None

    def first(self, more: Iterable[tuple[Order, bool]]) -> tuple[Order, bool] | None:
        """The first answer where there are ``more``."""
        answers = [answer for answer in more if answer[0] > self.order]
        return min([self.answer, *answers] if self.answer is not None else answers, default=None)


def checks(trail: Trail) -> Iterator[CheckRun]:
    """The runs of checks."""
    for stated in trail.evidence:
        yield CheckRun(stated.order, seconds(stated.at), _what(stated.body), _settles(stated.body))


def _what(body: Evidence) -> bytes:
    names = (body.check, body.definition.digest, body.inputs.digest, body.environment.digest)
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()[:16]


def _settles(body: Evidence) -> bool:
    return body.result in _KNOWN and body.observed_by in _RAN


def check_runs(found: Mapping[str, Trail]) -> Iterator[tuple[str, Stated[Evidence], bool]]:
    """Every run of a check with its task, and whether its result was known (see :func:`repeated`)."""
    runs = [(stated.order, trail.id, stated) for trail in found.values() for stated in trail.evidence]
    runs.sort(key=lambda run: run[0])
    known: set[bytes] = set()
    for _, task, stated in runs:
        what = _what(stated.body)
        yield task, stated, what in known
        if _settles(stated.body):
            known.add(what)


def repeated(runs: Iterable[tuple[CheckRun, bool]]) -> Iterator[tuple[float, bool]]:
    """For each run that counts (else it only settles) whether its result was known.

    It was where the same check, definition, inputs and environment had run before, in whichever task.
    """
    known: set[bytes] = set()
    for run, counts in sorted(runs, key=lambda pair: pair[0].order):
        if counts and run.at is not None:
            yield run.at, run.what in known
        if run.settles:
            known.add(run.what)


def checks_of(ran: Sequence[bool]) -> Metric:
    """Check runs whose result was known / all."""
    return share("redundant-check-runs", sum(ran), len(ran))


def claims(trail: Trail) -> Iterator[tuple[float, int]]:
    """For each packet what agents said that nothing shows, or that the facts refute."""
    for packet in trail.packets:
        at = seconds(packet.at)
        if at is not None:
            yield at, sum(outcome.class_ in _UNSUPPORTED for outcome in packet.body.outcomes)


def claims_of(said: Sequence[int]) -> Metric:
    """Unsupported claims for each packet."""
    return each("unsupported-claims-per-packet", sum(said), len(said))


def holds(trail: Trail) -> Iterator[Hold]:
    """Each packet on HOLD with the task's own answer to it."""
    for packet in trail.packets:
        at = seconds(packet.at)
        if packet.body.hold.state == "HOLD" and at is not None:
            bare = Hold(packet.id, at, packet.order, None)
            yield Hold(packet.id, at, packet.order, bare.first(_answers(trail, packet)))


def _answers(trail: Trail, packet: Stated[Packet]) -> Iterator[tuple[Order, bool]]:
    """What a person answered to that hold: a lift or an approval says that it was wrong."""
    yield from ((lift.order, False) for lift in trail.lifts if lift.body.packet in (None, packet.id))
    yield from ((v.order, v.body.answer != "approve") for v in trail.verdicts if v.body.packet == packet.id)
    yield from ((n.order, True) for n in trail.notes if n.body.by == "person" and n.body.kind == "answer")
    if trail.closed is not None:
        yield trail.closed.order, trail.closed.body.outcome != "completed"


def holds_of(answers: Sequence[bool]) -> Metric:
    """Holds that a person answered otherwise than by letting it go on / those that a person answered."""
    return share("holds-found-right", sum(answers), len(answers))


def decisions(trail: Trail) -> Iterator[tuple[float, float]]:
    """For each packet that was answered the seconds from its seal to its first verdict."""
    first: set[str] = set()
    sealed = {packet.id: packet.at for packet in trail.packets} if trail.verdicts else {}
    for verdict in trail.verdicts:
        name = verdict.body.packet
        begun, at = seconds(sealed.get(name)), seconds(verdict.at)
        if begun is not None and at is not None and name not in first:
            first.add(name)
            yield begun, at - begun


def decisions_of(took: Sequence[float]) -> Metric:
    """From a packet's seal to its first verdict."""
    return median("time-to-decide", took)


def first_edits_of(took: Sequence[float]) -> Metric:
    """From a resume to the run's first write that a hook saw."""
    return median("time-to-first-edit", took)


def writes(trail: Trail) -> Iterator[tuple[float, bool]]:
    """For each write that a hook judged whether it was refused and a person let it in later by widening."""
    refused = any(touch.where in ATTEMPTED for touch in trail.touches)
    wider = list(_boundaries(trail)) if refused else []
    for touch in trail.touches:
        at = seconds(touch.at)
        if at is not None and (touch.where == "inside" or touch.where in ATTEMPTED):
            yield at, touch.where in ATTEMPTED and _let_in(touch, at, wider)


def _let_in(touch: Touch, at: float, wider: Sequence[tuple[float, Asked]]) -> bool:
    return any(when > at and asked.decide(touch.path).inside for when, asked in wider)


def writes_of(judged: Sequence[bool]) -> Metric:
    """Writes refused that a person let in later by widening the boundary / all writes that a hook judged."""
    return share("false-denials", sum(judged), len(judged))


def _boundaries(trail: Trail) -> Iterator[tuple[float, Asked]]:
    said = [(verdict.at, verdict.body.boundary) for verdict in trail.verdicts]
    said += [(by_hand.at, by_hand.body.boundary) for by_hand in trail.boundaries]
    for at, boundary in said:
        yield seconds(at) or 0.0, Asked.of(boundary)


def readbacks(trail: Trail) -> Iterator[tuple[float, bool]]:
    """For each packet that was read back whether the first one was right."""
    first = {stated.body.packet: stated for stated in reversed(trail.readbacks)}
    for stated in first.values():
        at = seconds(stated.at)
        if at is not None:
            yield at, stated.body.accepted


def readbacks_of(accepted: Sequence[bool]) -> Metric:
    """Packets whose first read-back was right / packets that were read back."""
    return share("first-try-readbacks", sum(accepted), len(accepted))
