"""What a reviewer is shown of a packet, with what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.owner_rows import owners_of
from passdown.cli.review_screen import Around, screen
from passdown.cli.strays import strays_of

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.cli.review_screen import Screen
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView


def shown(context: Context, packet: Packet, task: TaskView) -> Screen:
    """The reviewer's screen."""
    strays = strays_of(context, packet, task)
    lapsed = context.lapsed(packet)
    owners = owners_of(context, packet, task, lapsed)
    around = Around(tails(context), lapsed, strays, older(packet, task), context.now, owners)
    return screen(packet, task, context.me, around)


def tails(context: Context) -> dict[str, str]:
    """The end of each check's latest output here, by its name."""
    from passdown.model.evidence import Evidence

    bodies = [record.body for record in context.recorder.records(type="evidence")]
    return {body.check: body.tail for body in bodies if isinstance(body, Evidence)}


def newer(packet: Packet, task: TaskView) -> str | None:
    """The task's newest packet where that is another one."""
    latest = task.latest.id if task.latest is not None else None
    return latest if latest != packet.packet else None


def older(packet: Packet, task: TaskView) -> str | None:
    """That a newer packet exists, and what an answer to this one does all the same."""
    latest = newer(packet, task)
    if latest is None:
        return None
    armed = any(force.packet == packet.packet for force in task.in_force.values())
    does = "changes what is armed now, not what comes next" if armed else "decides nothing"
    return f"{latest[:7]} is; an answer to this one {does}"
