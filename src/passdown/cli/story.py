"""Each kind of record as one line of the story."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import singledispatch
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from passdown.ledger.fact import Fact
from passdown.model import event, forge, learned
from passdown.model.evidence import Evidence
from passdown.model.packet import Packet
from passdown.packet.hold_words import TITLES
from passdown.packet.text import place_of
from passdown.packet.words import BYPASSED, REASONS
from passdown.rules.amount import amount


class Told(Struct, frozen=True):
    """One event: when, which statement, what happened in a word, and the rest of the line."""

    at: str
    id: str
    what: str
    text: str
    task: str | None
    type: str
    trusted: bool
    here: bool = True

    def as_json(self) -> dict[str, Any]:
        """The event as `log --json` gives it."""
        return asdict(self)


def tell(record: event.Record) -> Told:
    """The record as one event."""
    what, text = _line(record.body)
    if not record.here:
        text = f"in another clone: {text}"
    return Told(record.at, record.id, what, text, record.task, record.type, record.trusted, record.here)


def with_bypasses(told: list[Told], facts: Iterable[Fact]) -> list[Told]:
    """The story with what the guard had denied and what changed all the same, each where it happened."""
    tasks = {event.task for event in told} - {None}
    more = [
        Told(fact.at, fact.id, "bypass", f"{fact.data.get('path')}: {BYPASSED}{_by(fact)}", fact.task, "bypass", True)
        for fact in facts
        if fact.task in tasks
    ]
    return sorted([*told, *more], key=lambda event: event.at) if more else told


def _by(fact: Fact) -> str:
    return f" ({fact.data['tool']})" if fact.data.get("tool") else ""


@singledispatch
def _line(body: object) -> tuple[str, str]:
    return type(body).__name__.lower(), ""


def _tells(kind: type[Any]) -> Callable[[Callable[[Any], tuple[str, str]]], object]:
    return _line.register(kind)


@_tells(Packet)
def _(body: Packet) -> tuple[str, str]:
    open_items = f", {len(body.items)} open" if body.items else ""
    agent = body.run.agent or "no agent"
    end = REASONS[body.run.end.reason] if body.run.agent else "git and checks alone"
    what = "drafted" if any(note.startswith("drafted: ") for note in body.notes) else "packed"
    return what, f"{body.task.title}: {agent}, {end}, {amount(len(body.files), 'file')}{open_items}"


@_tells(Evidence)
def _(body: Evidence) -> tuple[str, str]:
    failing = f": {', '.join(body.failing[:3])}" if body.failing else ""
    exit_ = f", exit {body.exit}" if body.exit is not None else ""
    seen = {"hook": ", the agent ran it", "agent-side": ", said from the sandbox"}.get(body.observed_by, "")
    return "check", f"{body.check} {body.result}{exit_}, {body.seconds:.1f} s{seen}{failing}"


@_tells(event.TaskOpened)
def _(body: event.TaskOpened) -> tuple[str, str]:
    after = f", after packet {body.from_packet[:7]}" if body.from_packet else ""
    return "started", f'"{body.goal.text}"{after}'


@_tells(event.BoundarySet)
def _(body: event.BoundarySet) -> tuple[str, str]:
    allowed = "  ".join(place_of(entry) for entry in body.boundary.allow) or "nothing"
    return "boundary", f"version {body.boundary.version} by hand: {allowed}"


@_tells(event.Verdict)
def _(body: event.Verdict) -> tuple[str, str]:
    self_ = " (self)" if body.self_ else ""
    to = f" to {body.assignee}" if body.assignee else ""
    note = f': "{body.note}"' if body.note else ", note withdrawn" if body.note == "" else ""
    waived = f", waived {', '.join(body.waived)}" if body.waived else ""
    word = {"reassign": "handed over", "rollback": "roll back"}.get(body.answer, body.answer)
    stands = f", lets stand outside: {' '.join(body.accepted)}" if body.accepted else ""
    return "answered", f"{word}{to} on {body.packet[:7]} by {body.by}{self_}{stands}{waived}{note}"


@_tells(event.Resumed)
def _(body: event.Resumed) -> tuple[str, str]:
    return (
        "resumed",
        f"from {body.packet[:7]}, {body.boundary.source} boundary armed on {body.branch or 'a detached HEAD'}"
        + (", took over from a run that still lived" if body.took_over else ""),
    )


@_tells(event.Note)
def _(body: event.Note) -> tuple[str, str]:
    by = "" if body.by == "person" else " (agent)"
    item = f" {body.item}" if body.item else ""
    paths = f" {' '.join(body.paths)}" if body.paths else ""
    why = f": {body.because}" if body.because else ""
    over = f" over {body.over}" if body.over else ""
    over += f", replaces {body.supersedes}" if body.supersedes else ""
    over += f", keeps {' '.join(body.keep)}" if body.keep else ""
    if body.kind == "ask-widen":
        return "asks for", f"{paths.strip()}{why}{by}"
    return body.kind, f'{item.strip()}{" " if item else ""}"{body.text}"{paths}{over}{why}{by}'


@_tells(event.Held)
def _(body: event.Held) -> tuple[str, str]:
    return "held", f'by {body.by}: "{body.because}"'


@_tells(event.Lifted)
def _(body: event.Lifted) -> tuple[str, str]:
    stands = f", lets stand outside: {' '.join(body.accepted)}" if body.accepted else ""
    what = ", ".join(TITLES.get(code, code.replace("-", " ")) for code in body.codes)
    return "lifted", f'by {body.by}: "{body.because}"{stands}  (was: {what})'


@_tells(event.Rescued)
def _(body: event.Rescued) -> tuple[str, str]:
    return "rescued", f"the worktree: {body.why}"


@_tells(event.RolledBack)
def _(body: event.RolledBack) -> tuple[str, str]:
    proven = f"{amount(len(body.residue), 'path')} not equal" if body.residue else "equal, proven"
    return "rolled back", f"to {body.packet[:7]}: {proven}"


@_tells(event.Closed)
def _(body: event.Closed) -> tuple[str, str]:
    inferred = " (inferred)" if body.inferred else f" by {body.by}"
    return "outcome", f'{body.outcome}{inferred}: "{body.because}"'


@_tells(event.CheckConfirmed)
def _(body: event.CheckConfirmed) -> tuple[str, str]:
    run = body.definition.run
    return "confirmed", f"check {body.definition.name} = {run if isinstance(run, str) else ' '.join(run)} by {body.by}"


@_tells(event.WriterVouched)
def _(body: event.WriterVouched) -> tuple[str, str]:
    why = f': "{body.because}"' if body.because else ""
    done = "never to be believed again" if body.withdrawn else "vouched for"
    return "vouched", f"writer {body.writer[:12]} {done} by {body.by}{why}"


@_tells(event.ReadBack)
def _(body: event.ReadBack) -> tuple[str, str]:
    by = "" if body.by == "person" else " (agent)"
    if not body.accepted:
        return "read back", f"{body.packet[:7]} did not match: {'; '.join(body.faults)}{by}"
    said = [", ".join(body.open), f"first {body.first}", f"not {', '.join(body.not_)}" if body.not_ else ""]
    return "read back", f"{body.packet[:7]} accepted: {'; '.join(part for part in said if part)}{by}"


@_tells(event.Rebound)
def _(body: event.Rebound) -> tuple[str, str]:
    return "rebound", f"from {body.was} to {body.now} by {body.by}"


@_tells(learned.Learned)
def _(body: learned.Learned) -> tuple[str, str]:
    counts = f"{body.misses} of {body.chances}"
    why = f': "{body.because}"' if body.because else f": {', '.join(body.files)}"
    return "learned", f"{body.kind} {body.subject} ({counts}) {body.answer} by {body.by}{why}"


@_tells(forge.ForgeRead)
def _(body: forge.ForgeRead) -> tuple[str, str]:
    waiting = sum(remark.state in ("open", "without-change") for remark in body.remarks)
    failed = [check.name for check in body.checks if check.result in ("FAILED", "ERROR")]
    ci = f", CI fails: {', '.join(failed)}" if failed else ""
    return "read", f"{body.url}: {waiting} of {amount(len(body.remarks), 'remark')} open{ci}"


@_tells(forge.Lapsed)
def _(body: forge.Lapsed) -> tuple[str, str]:
    return "lapsed", f"the answer {body.verdict[:7]}: {body.because}"


@_tells(event.Judged)
def _(body: event.Judged) -> tuple[str, str]:
    if body.holds is None:
        return "verify", "could not decide"
    return "verify", "holds" if body.holds else f"does not hold: {', '.join(body.violations)}"


@_tells(event.Compared)
def _(body: event.Compared) -> tuple[str, str]:
    how = {"REGRESSION": "passes there", "PRE-EXISTING": "fails there too", "UNKNOWN": "not measured there"}
    return "compared", f"{body.check} on {body.base[:7]}: {how[body.origin]} ({body.because})"


@_tells(event.GuardSwitched)
def _(body: event.GuardSwitched) -> tuple[str, str]:
    if body.until is None:
        return "guard on", body.because
    return "guard off", f"until {body.until[:16].replace('T', ' ')} UTC by {body.by}: {body.because}"


@_tells(event.GuardInstalled)
def _(body: event.GuardInstalled) -> tuple[str, str]:
    return (
        "guard out" if body.undone else "guard in"
    ), f"{', '.join([*body.files, *body.after]) or 'nothing'} by {body.by}"
