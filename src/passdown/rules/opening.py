"""What a session that begins is told of the tasks here: its own handoff, one line of another's, nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from passdown.model.boundary import Boundary
from passdown.model.packet import Packet
from passdown.rules.fold import same_task
from passdown.rules.lineage import Here, choose
from passdown.rules.task import Spot, Stated, TaskView, binding

Kind = Literal["handed", "opened", "waiting", "elsewhere", "nothing"]


class Opening(Struct, frozen=True):
    """``handed``: a run was resumed here from ``packet`` and is open. ``opened``: a task opened by hand, no packet yet.

    ``waiting``: a sealed packet that nobody resumed. ``elsewhere``: a task armed on another branch of this worktree.
    ``boundary``: the one that binds here now.
    """

    kind: Kind
    task: TaskView | None = None
    packet: Stated[Packet] | None = None
    boundary: Boundary | None = None
    branch: str | None = None


def opening(tasks: Mapping[str, TaskView], here: Here) -> Opening:
    """The one thing to tell at this spot. Ended tasks, superseded and expired packets are nothing (C4, C5)."""
    spot = (here.worktree_id, here.branch)
    task = same_task(tasks, *spot)
    force = binding(task, spot, here.now) if task is not None else None
    boundary = force.boundary if force is not None else None
    if task is not None and boundary is not None:
        packet = _handed(task, spot)
        if packet is not None:
            return Opening("handed", task, packet, boundary)
        if task.latest is None:
            return Opening("opened", task, None, boundary)
    chosen = choose(tasks, here).packet
    if chosen is not None:
        return Opening("waiting", tasks[chosen.body.task.id], chosen, boundary)
    return _elsewhere(tasks, spot, here.now)


def _handed(task: TaskView, spot: Spot) -> Stated[Packet] | None:
    """The packet that the open run was resumed from; None where that run is another spot's, or packed by now."""
    begun = task.open_run()
    if begun is None or (begun.body.worktree_id, begun.body.branch) != spot:
        return None
    last = task.resumes[-1].body.packet
    return next((packet for packet in task.packets if packet.id == last), None)


def _elsewhere(tasks: Mapping[str, TaskView], spot: Spot, now: str) -> Opening:
    """The task that was touched last among those armed on another branch of this worktree."""
    found = [
        (force.touched, task, other[1])
        for task in tasks.values()
        for other in task.in_force
        if other[0] == spot[0] and other != spot and (force := binding(task, other, now)) is not None
    ]
    if not found:
        return Opening("nothing")
    _, task, branch = max(found, key=lambda each: each[0])
    return Opening("elsewhere", task, branch=branch)
