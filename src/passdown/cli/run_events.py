"""What happened in a packet's run: its stretch of the transcript, and what the guard denied meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.guard.heartbeat import EARLY
from passdown.packet.stretch import after
from passdown.rules.instants import seconds
from passdown.web.timeline import Event, short

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet, Run
    from passdown.model.session import SessionFacts

_TONES = {"PASSED": "good", "FAILED": "bad", "ERROR": "bad"}
_DENIED = {
    "outside-blocked": "denied",
    "asked": "asked a person about",
    "outside-landed": "landed outside:",
    EARLY: "changed before the read-back:",
}


def events_of(context: Context, packet: Packet) -> list[Event]:
    """Every event that bears a time; PassdownError where the transcript is not here (any more)."""
    from passdown.agents.sessions import pick, read_session

    run = packet.run
    if run.session is None:
        raise PassdownError("this packet has no session", "it was packed from git, task and checks alone")
    facts = read_session(pick(run.session, context.place.root, os.environ), outputs=False, redactor=context.redactor)
    stretch = after(facts, run.from_ if run.from_ is not None else -1)
    return [*_told(stretch, run, f"{context.place.root}/"), *_denied(context, packet)]


def _told(facts: SessionFacts, run: Run, root: str) -> Iterator[Event]:
    last = run.through

    def within(record: int | None) -> bool:
        return last is None or record is None or record <= last

    for request in facts.requests:
        if request.at and within(request.record):
            yield Event(request.at, "asked", short(request.text), request.record)
    for write in facts.writes:
        if write.at and within(write.record):
            failed = " (refused or failed)" if write.ok is False else ""
            text = f"{write.op} {write.path.removeprefix(root)}{failed}"
            yield Event(write.at, "edited", short(text), write.record, "bad" if failed else "")
    checks = {check.record for check in facts.checks}
    for command in facts.commands:
        if command.at and within(command.record) and command.record not in checks:
            exit_ = f" (exit {command.exit})" if command.exit else ""
            yield Event(command.at, "ran", short(command.command + exit_), command.record, "bad" if exit_ else "")
    for check in facts.checks:
        if check.at and within(check.record):
            text = f"{check.command}: {check.result or 'no result'}"
            yield Event(check.at, "checked", short(text), check.record, _TONES.get(check.result or "", ""))


def _denied(context: Context, packet: Packet) -> Iterator[Event]:
    began, ended = seconds(packet.run.started), seconds(packet.sealed_at)
    for fact in context.recorder.facts(task=packet.task.id, kind="touch"):
        when = seconds(fact.at)
        word = _DENIED.get(str(fact.data.get("where")))
        if word and when is not None and (began is None or began <= when) and (ended is None or when <= ended):
            yield Event(fact.at, "denied", short(f"{word} {fact.data.get('path')}"), None, "bad")
