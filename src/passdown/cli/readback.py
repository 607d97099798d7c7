"""``passdown readback``: the next run restates the packet that it was handed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.heard import by_agent, call, heard, need_record, session
from passdown.cli.in_force_here import here_in_force
from passdown.cli.output import plain, print_json, say
from passdown.cli.weighing import as_it_stands
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.model.event import ReadBack
from passdown.rules import readback as rule
from passdown.rules.handed import asked
from passdown.rules.judge import Context as Around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.model.boundary import Boundary
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView

_SHOWN = 200


@click.command(epilog="Example:  passdown readback 7c1e9a2 --open F1,F2 --first src/a.py --not N1")
@click.argument("packet")
@click.option("--open", "open_", metavar="IDS", multiple=True, help="What is open: F1,F2,Q1.")
@click.option("--first", metavar="PATH", default="", help="The file that is edited first.")
@click.option("--not", "not_", metavar="IDS", multiple=True, help="What may not be written: N1,N2.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def readback(packet: str, open_: tuple[str, ...], first: str, not_: tuple[str, ...], as_json: bool) -> int:
    """Restate what the brief of PACKET says, before the first edit.

    The last line of the brief is the command to type; order, quotes and ./ do not matter. Exit 0: it
    matches. Exit 1: it does not, and what is missing is named; two such tries, and it is on HOLD.
    """
    context = Context(reads=True)
    sealed = context.named_packet(packet)
    said = rule.ReadBack(open_, rule.plain_path(first).removeprefix(f"{context.place.root}/"), not_)
    known = heard(context, ReadBack, lambda body: _same(context, body, sealed, said))
    if known is not None:
        record, body = known
        return _answer(as_it_stands(context, sealed), body, record.id, as_json=as_json)
    need_record(context)
    context.reads = False
    task = _task(context, sealed)
    shown = as_it_stands(context, sealed)
    if shown.hold.state == "HOLD":
        return _held(shown, None, as_json=as_json)
    boundary = _boundary(context, task, shown)
    faults = rule.faults(shown, said, boundary, _around(context), asked(task, sealed.packet))
    body = _body(context, task, shown, said, faults)
    statement = context.recorder.append(body, task=task.id, at=context.now, subjects={"packet": body.packet})
    context.forget()
    return _answer(shown if body.accepted else as_it_stands(context, sealed), body, statement, as_json=as_json)


def _answer(packet: Packet, body: ReadBack, statement: str, *, as_json: bool) -> int:
    """Say how it went; ``packet`` as it stands after it."""
    if body.accepted:
        return _accepted(body, statement, packet, as_json=as_json)
    if packet.hold.state == "HOLD":
        return _held(packet, body, as_json=as_json)
    return _missed(body, statement, packet, as_json=as_json)


def _same(context: Context, body: ReadBack, packet: Packet, said: rule.ReadBack) -> bool:
    """Whether the guard's hook recorded these very words."""
    typed = [[context.redactor.text(text)[:_SHOWN] for text in texts] for texts in (said.open, [said.first], said.not_)]
    return (body.packet, body.open, [body.first], body.not_) == (packet.packet, *typed)


def _task(context: Context, packet: Packet) -> TaskView:
    """The packet's task; PassdownError where it ended or has a newer packet."""
    task, name = context.task_of(packet), (packet.packet or "")[:7]
    if task.outcome is not None:
        raise PassdownError(f"the task of {name} ended: {task.outcome.body.outcome}", "passdown status")
    if task.latest is not None and task.latest.id != packet.packet:
        raise PassdownError(f"{name} is superseded by {task.latest.id[:7]}", "passdown resume prints the newest brief")
    return task


def _boundary(context: Context, task: TaskView, packet: Packet) -> Boundary:
    """The boundary that the brief named: the one in force here, else the next."""
    force = here_in_force(context, task)
    return force.boundary if force is not None else task.next_boundary() or packet.boundary


def _around(context: Context) -> Around:
    from passdown.workspace.diff import list_tree

    return Around(derived=context.policy.derived, paths=list_tree(context.place, context.snapshot.tree).keys())


def _body(context: Context, task: TaskView, packet: Packet, said: rule.ReadBack, faults: Sequence[str]) -> ReadBack:
    def kept(texts: Sequence[str]) -> list[str]:
        return [context.redact(text)[:_SHOWN] for text in texts]

    return ReadBack(
        task=task.id,
        packet=packet.packet or "",
        accepted=not faults,
        by="agent" if by_agent() else "person",
        worktree_id=context.place.worktree_id,
        branch=context.place.branch,
        open=kept(said.open),
        first=context.redact(said.first)[:_SHOWN],
        not_=kept(said.not_),
        faults=kept(faults),
        run=task.resumes[-1].body.run if task.resumes else None,
        call=call(),
        session=session(),
    )


def _document(body: ReadBack | None, packet: Packet, statement: str | None = None) -> dict[str, object]:
    return {
        "packet": packet.packet,
        "accepted": body is not None and body.accepted,
        "faults": body.faults if body is not None else [],
        "statement": statement,
        "hold": packet.hold,
    }


def _accepted(body: ReadBack, statement: str, packet: Packet, *, as_json: bool) -> int:
    if as_json:
        print_json(_document(body, packet, statement))
        return 0
    say(f"READ BACK {body.packet[:7]}   it matches; begin with {plain(body.first)}")
    return 0


def _missed(body: ReadBack, statement: str, packet: Packet, *, as_json: bool) -> int:
    if as_json:
        print_json(_document(body, packet, statement))
        return EXIT_DOES_NOT_HOLD
    say(f"DOES NOT MATCH {body.packet[:7]}   once more, then it is on HOLD")
    for fault in body.faults:
        say(f"  {plain(fault)}")
    say(f"Read     passdown show {body.packet[:7]} --brief")
    return EXIT_DOES_NOT_HOLD


def _held(packet: Packet, body: ReadBack | None, *, as_json: bool) -> int:
    if as_json:
        print_json(_document(body, packet))
        return EXIT_DOES_NOT_HOLD
    from passdown.cli.paint import colour, screen_width
    from passdown.packet.hold_screen import hold_screen

    say(hold_screen(packet, width=screen_width(), colour=colour(), after="").rstrip("\n"))
    for at, fault in enumerate(body.faults if body is not None else []):
        say(f"{'' if at else 'This time':<10} {plain(fault)}")
    return EXIT_DOES_NOT_HOLD
