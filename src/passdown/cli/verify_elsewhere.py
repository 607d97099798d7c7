"""The boundary of commits that come from another clone, as CI meets them: a counting answer's, nothing else's.

Whoever can push can bring records. What binds here is an approving or narrowing answer to a packet of this branch, on
whose code the commits stand: one that somebody signed whom the base's policy lists, or, where that is asked for, an
owner's comment that GitHub shows now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, structs
from msgspec.structs import replace

from passdown.checks.trust import signers_of
from passdown.cli.context import Context
from passdown.cli.verify_answer import Answer
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.judge_work import judge_work
from passdown.guard.work import between
from passdown.model.event import Verdict
from passdown.model.packet import Packet
from passdown.model.paths import from_wire, printable
from passdown.rules.instants import seconds
from passdown.rules.review import falls_short
from passdown.rules.task import Stated, in_force
from passdown.workspace import diff, history

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from passdown.cli.verify_forge import Comments
    from passdown.model.event import Record


class Signed(Struct, frozen=True):
    """An answer that counts here: the verdict, who gave it (whatever it says of that), the packet that it answers.

    ``signer``: who signed it, None for a comment; ``hardware``: whether with a hardware key. ``notes``: comments that
    do not count; ``doubt``: why nothing can be decided by it, "" where it can.
    """

    given: Verdict
    by: str
    packet: Packet
    hardware: bool
    signer: str | None = None
    notes: list[str] = []
    doubt: str = ""


class Asked(Struct, frozen=True):
    """Whose answers count beside the signed ones: those in comments of pull request ``pr`` (None: none are read)."""

    branch: str | None
    pr: int | None = None
    remote: str | None = None


def answer_elsewhere(ends: tuple[str, str], asked: Asked) -> tuple[Context, Answer]:
    """The judgement of the commits by the newest answer of their branch that counts, and the view that it was made in.

    What the packet's own commits hold was there to be seen when it was answered: the answer is for what came after.
    """
    base, head = ends
    context = Context(base=base)
    fork = between(context.place, base, head).fork
    signed = _newest(context, (fork, head), asked)
    given, boundary = signed.given, signed.given.boundary
    if given.answer not in ("approve", "narrow"):
        said = f"{signed.by} answered {given.answer}: nothing goes on from packet {given.packet[:7]}"
        return context, Answer(False, boundary, notes=[said, *signed.notes], hint="passdown log")
    work = between(context.place, signed.packet.place.head or base, head)
    found = judge_work(context.place, boundary, work, context.policy.derived)
    answer = Answer(
        not found.violations, boundary, found.violations, notes=[_told(signed), *signed.notes, *found.notes]
    )
    _seen_then(context, signed, head, answer)
    short = falls_short(
        context.policy,
        given,
        by_runner=given.self_ or signed.packet.run.by == signed.by,
        signer=signed.signer,
        hardware=lambda: signed.hardware,
    )
    alarms = context.recorder.alarms()
    for why, hint in (
        (signed.doubt, "answer anew"),
        (short, "passdown review"),
        (alarms[0].text if alarms else None, "passdown log --verify"),
    ):
        if why and answer.holds:
            answer.holds, answer.hint = None, hint
            answer.notes.insert(0, why)
    return context, answer


def _told(signed: Signed) -> str:
    title, given = signed.packet.task.title, signed.given
    whose = f"the answer that {signed.by} signed" if signed.signer else f"{signed.by}'s comment on GitHub"
    return f"by {whose}: {given.answer} on packet {given.packet[:7]} ({title})"


def _newest(context: Context, ends: tuple[str, str], asked: Asked) -> Signed:
    """PassdownError where nobody whom the base lists has signed an answer to this work, and no comment counts."""
    signers = signers_of(context.place, context.policy)
    if not signers and asked.pr is None:
        raise PassdownError(
            "the base's policy lists nobody whose signed answer counts here: [review] signers",
            "docs/ci.md says how, and how comments on GitHub can count; where it was decided: passdown verify",
            EXIT_UNDECIDED,
        )
    found = context.recorder.records(type="packet")
    packets = {record.id: record for record in found if record.trusted and isinstance(record.body, Packet)}
    here = {name: r for name, r in packets.items() if _stands_on(context, r.body, ends, asked.branch)}
    answers = list(_answers(context, here))
    sealed = context.recorder.envelopes([stated.id for stated in answers])
    by = {s.id: signers.signed(sealed[s.id], [s.at, context.now]) for s in answers if s.id in sealed}
    counted = [replace(s, body=structs.replace(s.body, by=by[s.id][0])) for s in answers if by.get(s.id)]
    said = _said(context, here, asked, ends[1])
    every = [*counted, *said.answers]
    if not every:
        why = said.refused[0] if said.refused else _nobody(asked.branch, (len(packets), len(here), len(answers)))
        raise PassdownError(why, _how(context), EXIT_UNDECIDED)
    latest = max(every, key=lambda stated: here[stated.body.packet].order)
    chosen = in_force([_by_time(stated) for stated in every if stated.body.packet == latest.body.packet]) or latest
    record = here[chosen.body.packet]
    packet = record.body
    if not isinstance(packet, Packet) or not context.trust.sealed(record):
        raise PassdownError(
            f"packet {record.id[:7]} is not as it was recorded", "passdown log --verify", EXIT_UNDECIDED
        )
    signer = chosen.body.by if by.get(chosen.id) else None
    hardware = signer is not None and bool(signers.signed(sealed[chosen.id], [chosen.at, context.now], hardware=True))
    return Signed(chosen.body, chosen.body.by, packet, hardware, signer, said.refused, said.doubt(chosen, answers))


def _said(context: Context, packets: Mapping[str, Record], asked: Asked, head: str) -> Comments:
    """The comments that answer, read from GitHub now; none where none are asked for."""
    from passdown.cli.verify_forge import Comments, comments_of

    if asked.pr is None or not packets:
        return Comments(context, packets)
    return comments_of(context, (asked.pr, asked.remote), packets, head)


def _by_time(stated: Stated[Verdict]) -> Stated[Verdict]:
    """Signed answers and comments have no order but that of their instants."""
    return replace(stated, order=(int(seconds(stated.at) or 0), stated.id, 0))


def _answers(context: Context, packets: Mapping[str, Record]) -> Iterator[Stated[Verdict]]:
    """The verdicts on these packets that are as they were recorded."""
    for record in context.recorder.records(type="verdict"):
        body = record.body
        if record.trusted and isinstance(body, Verdict) and body.packet in packets and context.trust.sealed(record):
            yield Stated(record.id, record.at, record.order, body)


def _nobody(branch: str | None, numbers: tuple[int, int, int]) -> str:
    packets, here, answers = numbers
    where = f"branch {printable(branch)}" if branch else "these commits"
    if not packets:
        return "no packet's record is in this clone, so no boundary"
    if not here:
        return f"no packet in this clone belongs to {where}"
    if not answers:
        return f"nobody has answered a packet of {where}"
    return f"no answer to the work of {where} is signed by somebody whom the base's policy lists"


def _how(context: Context) -> str:
    shallow = (context.place.common_dir / "shallow").exists()
    return (
        "git fetch --unshallow, then passdown verify again" if shallow else "passdown sync fetches what others recorded"
    )


def _stands_on(context: Context, body: object, ends: tuple[str, str], branch: str | None) -> bool:
    """Whether the commits go on from where the packet was sealed, on its branch."""
    if not isinstance(body, Packet) or body.place.head is None or branch not in (None, body.place.branch):
        return False
    at, (fork, head) = body.place.head, ends
    after = at == fork or not history.is_ancestor(context.place, at, fork)
    return after and history.is_ancestor(context.place, at, head)


def _seen_then(context: Context, signed: Signed, head: str, answer: Answer) -> None:
    """What had changed when it was answered is no violation as it was then; that may not be known in this clone."""
    then = {printable(from_wire(file.path, file.path_b64)) for file in signed.packet.files}
    then = then.union(signed.given.accepted)
    named = {printable(violation.path) for violation in answer.violations} & then
    if not named:
        return
    since, known = _changed_since(context, signed.packet, head)
    same, open_ = named - since, named & since if not known else set()
    answer.violations = [v for v in answer.violations if printable(v.path) not in same | open_]
    answer.holds = not answer.violations
    answer.notes += [f"outside, as it was when {signed.by} answered: {path}" for path in sorted(same)]
    answer.notes += [f"outside, had changed when {signed.by} answered; since then? {path}" for path in sorted(open_)]
    if open_ and answer.holds:
        answer.holds = None
        answer.hint = "passdown sync --with-work where it was packed sends what it was then"


def _changed_since(context: Context, packet: Packet, head: str) -> tuple[set[str], bool]:
    """Paths that differ from the packet, and whether its content is here; else those that its commits do not hold."""
    try:
        changes, known = diff.tree_diff(context.place, packet.place.tree, head), True
    except PassdownError:
        changes, known = diff.tree_diff(context.place, packet.place.head or "", head), False
    return {printable(change.path) for change in changes}, known
