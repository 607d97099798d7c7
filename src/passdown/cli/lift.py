"""``passdown lift``: a person releases a hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import print_json, say
from passdown.cli.paint import screen_width
from passdown.cli.strays import lines, names, unjudged_of
from passdown.cli.weighing import as_it_stands
from passdown.errors import PassdownError
from passdown.model.event import Lifted
from passdown.packet.text import folded
from passdown.packet.words import spoken
from passdown.workspace import snapshot

if TYPE_CHECKING:
    from passdown.rules.task import TaskView


@click.command(epilog='Example:  passdown lift 7c1e9a2 --because "main changed comments only"')
@click.argument("packet", required=False)
@click.option("--because", metavar="WHY", required=True, help="The reason; it stays in the record.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("lift --because WHY")
def lift(packet: str | None, because: str, as_json: bool) -> None:
    """Release every HOLD of the packet (this task's newest) with one reason.

    It is bound to the facts as they are now: when they change, the hold is back.
    """
    if not because.strip():
        raise PassdownError("the reason is empty", 'passdown lift --because "..."')
    context = Context()
    task, digest, reasons = _reasons(context, packet)
    if not reasons:
        raise PassdownError("nothing holds this task", "passdown status shows how it stands")
    strays = unjudged_of(context, task).strays if {"boundary-violated", "tree-drift"} & {c for c, _ in reasons} else []
    if strays:
        snapshot.keep(context.place, context.snapshot.tree)
    body = Lifted(
        task=task.id,
        because=context.redact(because),
        by=context.me,
        codes=[code for code, _ in reasons],
        facts=[fact for _, fact in reasons],
        packet=digest,
        accepted=names(strays),
        tree=context.snapshot.tree if strays else None,
    )
    statement = context.recorder.append(body, task=task.id, at=context.now)
    if as_json:
        print_json({"task": task.id, "statement": statement, "lifted": body})
        return
    for _, fact in reasons:
        for line in folded("Lifted   ", spoken(fact, context.now), screen_width(), indent=" " * 9):
            say(line)
    for line in lines("Lets stand", strays):
        say(line)
    say("Next     passdown resume" if digest else "Next     passdown status")


def _reasons(context: Context, name: str | None) -> tuple[TaskView, str | None, list[tuple[str, str]]]:
    """The task, the packet's digest and ``(code, fact)`` of all that holds it."""
    task = context.need_task() if name is None else context.task_of(context.named_packet(name))
    if name is None and task.latest is None:
        return task, None, [("held-by-person", task.held.body.because)] if task.held else []
    standing = as_it_stands(context, context.packet(name))
    active = [(reason.code, reason.fact) for reason in standing.hold.reasons if reason.level == "hold"]
    return task, standing.packet, active
