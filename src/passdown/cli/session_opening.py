"""What a session that begins is told, and its person beside it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.cli.holding import who
from passdown.cli.weighing import as_it_stands
from passdown.guard.lease import holder
from passdown.packet import recall
from passdown.packet.text import clock, plain, quote
from passdown.packet.title import short
from passdown.rules.lineage import Here
from passdown.rules.opening import Opening, opening

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.cli.session_facts import Session
    from passdown.model.packet import Packet
    from passdown.model.session import SessionFacts
    from passdown.rules.task import TaskView

HANDED = "PASSDOWN_HANDED"
"""Set by `passdown resume --with` for the client that it starts: its first prompt is the brief of this packet."""
_TITLE = 60


class Told(Struct, frozen=True):
    """``text`` for the model, ``to_person`` for who sits there, "" for nothing; ``packet``: what was handed over."""

    text: str = ""
    to_person: str = ""
    packet: str | None = None


def opened(session: Session) -> Told:
    """The brief where a run is open here, one line of a task that is not this session's, else nothing."""
    told = _told(session)
    left = _left(session) if session.source != "compact" else ""
    if not left:
        return told
    return replace(told, text=f"{told.text.rstrip()}\n{left}\n".lstrip(), to_person=f"{told.to_person}\n{left}".strip())


def _left(session: Session) -> str:
    """Sessions that ended here without a packet, in one line."""
    from passdown.cli.sweep import ended, told

    left = told(session.context, ended(session.context, besides=session.id))
    return f"Passdown: ended here without a packet: {left}. A person drafts it: passdown pack" if left else ""


def _told(session: Session) -> Told:
    """What the tasks here say to this session."""
    context = session.context
    place = context.place
    here = Here(place.worktree_id, place.branch, context.snapshot.tree, context.now)
    found = opening(context.tasks, here)
    if session.source == "compact":
        return _after_compaction(session, found)
    if found.kind == "handed" and found.packet is not None:
        return _handed(session, found)
    if found.kind == "opened" and found.task is not None and found.boundary is not None:
        return Told(f"{_goal(found.task)}\n{recall.bounds(found.boundary)}\n")
    return _line(session, found)


def _handed(session: Session, found: Opening) -> Told:
    held = holder(session.context.place)
    if held is not None and held.session != session.id:
        line = f"Passdown: {who(held)} works on {held.packet[:7]} in this worktree; this session is not that run."
        bound = recall.bounds(found.boundary) if found.boundary is not None else ""
        return Told(f"{line}\n{bound}", line)
    packet = _as_of_now(session.context, found)
    if session.source == "startup" and os.environ.get(HANDED) == packet.packet:
        return Told(packet=packet.packet)  # its first prompt is the brief
    return Told(recall.handed(packet, session.context.now), packet=packet.packet)


def _as_of_now(context: Context, found: Opening) -> Packet:
    """The packet as it stands now, with the boundary that binds here."""
    if found.packet is None or found.boundary is None:
        raise LookupError("no packet was handed over here")
    sealed = replace(found.packet.body, packet=found.packet.id)
    return replace(as_it_stands(context, sealed), boundary=found.boundary)


def _after_compaction(session: Session, found: Opening) -> Told:
    """Goal, prohibitions, boundary and failures again; in a first run from the transcript alone."""
    context, facts = session.context, _facts(session)
    if found.kind == "handed":
        packet = _as_of_now(context, found)
        team = context.policy.mode == "team"
        return Told(recall.again(packet, facts, context.now, team=team), packet=packet.packet)
    return Told(recall.first_run(facts, context.now, found.boundary) if facts is not None else "")


def _facts(session: Session) -> SessionFacts | None:
    """The transcript so far; None where the client keeps none."""
    if session.transcript is None or not session.transcript.is_file():
        return None
    from passdown.agents.sessions import read_session

    return read_session(session.transcript, redactor=session.context.redactor, outputs=False)


def _goal(task: TaskView) -> str:
    return f"Passdown: the task here, opened by a person. Goal: {quote(task.goal.text or task.title, tokens=150)}"


def _line(session: Session, found: Opening) -> Told:
    """One line; nothing is blocked by what it speaks of. A session's own packet is no news to it."""
    context, task, packet = session.context, found.task, found.packet
    if packet is not None and packet.body.run.session == session.id:
        return Told()
    if found.kind == "waiting" and task is not None and packet is not None:
        sealed = clock(packet.body.sealed_at, context.now)
        what = f"handoff {packet.id[:7]} {_title(task)}, sealed {sealed}, waits here and was not resumed"
        line = f"Passdown: {what}. It is no part of this session unless a person runs: passdown resume"
        bound = f"\nArmed on this branch all the same. {recall.bounds(found.boundary)}" if found.boundary else ""
        return Told(line + bound, line)
    if found.kind == "elsewhere" and task is not None:
        where = f"branch {plain(found.branch)}" if found.branch else "a detached HEAD"
        line = f"Passdown: the task {_title(task)} is at work on {where} of this worktree; nothing is blocked here."
        return Told(line, line)
    return Told()


def _title(task: TaskView) -> str:
    return quote(short(task.title or task.goal.text, _TITLE))
