"""``passdown status``: one screen, and the next command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli import run_now
from passdown.cli.context import Context
from passdown.cli.in_force_here import here_in_force
from passdown.cli.next_command import next_command
from passdown.cli.output import print_json, say
from passdown.cli.strays import standing_bypasses
from passdown.cli.sweep import ended, summaries
from passdown.cli.weighing import as_it_stands
from passdown.errors import EXIT_DOES_NOT_HOLD
from passdown.model.packet import Hold, HoldReason
from passdown.rules.open_now import items_of

if TYPE_CHECKING:
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView


@click.command(epilog="Example:  passdown status --json")
@click.option("--exit-code", is_flag=True, help="Exit with 1 where the task is on HOLD.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def status(exit_code: bool, as_json: bool) -> int:
    """Show the task here: goal, boundary, open items, hold, and what to type next."""
    context = Context(reads=True)
    context.look_ahead()
    task = context.task
    packet = as_it_stands(context, context.packet(None)) if task is not None and task.latest is not None else None
    hold = packet.hold if packet is not None else hold_of(task)
    if as_json:
        print_json(_document(context, task, packet, hold))
    else:
        from passdown.cli.learn_weekly import weekly
        from passdown.cli.status_screen import screen

        for line in screen(context, task, packet, hold):
            say(line)
        learned = weekly(context, task)
        if learned is not None:
            say(learned)
    return EXIT_DOES_NOT_HOLD if exit_code and hold.state == "HOLD" else 0


def hold_of(task: TaskView | None) -> Hold:
    """The hold of a task that has no packet yet: a person's, or none."""
    if task is None or task.held is None:
        return Hold(state="GO")
    body = task.held.body
    reason = HoldReason(
        code="held-by-person",
        level="hold",
        fact=f'held by {body.by}: "{body.because}"',
        reproduce="passdown log",
        lifts='passdown lift --because "..."',
    )
    return Hold(state="HOLD", reasons=[reason])


def _document(context: Context, task: TaskView | None, packet: Packet | None, hold: Hold) -> dict[str, object]:
    boundary = task.next_boundary() if task is not None else None
    force = here_in_force(context, task)
    return {
        "task": _task(task),
        "run": task.runs[-1] if task is not None and task.runs else None,
        "packet": packet.packet if packet is not None else None,
        "boundary": force.boundary if force is not None else boundary,
        "armed": force is not None,
        "bypassed": standing_bypasses(context, task) if task is not None else [],
        "guards": packet.guards if packet is not None else [],
        "items": items_of(task, packet),
        "reopened": packet.reopened if packet is not None else [],
        **run_now.document(context, task),
        "hold": hold,
        "unpacked": summaries(ended(context)),
        "next": next_command(context, task, packet, hold),
    }


def _task(task: TaskView | None) -> dict[str, object] | None:
    if task is None:
        return None
    return {
        "id": task.id,
        "title": task.title,
        "goal": task.goal,
        "done": task.done,
        "state": task.state,
        "resume_owner": task.resume_owner,
    }
