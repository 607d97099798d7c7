"""Arming a boundary: the record that the next run starts here, inside it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from passdown.cli import holding
from passdown.cli.agent_process import running_agent
from passdown.cli.begun import begun
from passdown.guard.lease import Lease
from passdown.model.event import Resumed
from passdown.rules.readback import expected
from passdown.workspace import snapshot

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.boundary import Boundary
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView


class Handing(msgspec.Struct, frozen=True):
    """How the packet is handed over: by a person's Enter, to the client ``name``, over a run that still lives."""

    entered: bool = False
    name: str | None = None
    over: Lease | None = None


def arm(context: Context, packet: Packet, task: TaskView, boundary: Boundary, how: Handing) -> str:
    """Record that the next run starts here inside this boundary, and take the worktree's lease; its statement."""
    place = context.place
    spot = (place.worktree_id, place.branch)
    last = task.resumes[-1].body if task.resumes else None
    renewed = last is not None and last.packet == packet.packet and (last.worktree_id, last.branch) == spot
    renewed = renewed and how.over is None
    snapshot.keep(place, context.snapshot.tree)
    right = expected(packet, boundary)
    body = Resumed(
        task=task.id,
        packet=packet.packet or "",
        run=last.run if renewed and last is not None else os.urandom(8).hex(),
        boundary=boundary,
        agent=running_agent(os.environ),
        asked=list(right.open),
        first=right.first,
        entered=how.entered or (renewed and last is not None and last.entered),
        took_over=how.over.run if how.over is not None else None,
        **asdict(begun(context)),
    )
    subjects = {"packet": body.packet, "tree": body.tree}
    holding.take(context, packet, body.run, how.name, how.over)
    return context.recorder.append(body, task=task.id, at=context.now, subjects=subjects)
