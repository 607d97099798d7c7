"""A repository that was moved: its record still speaks of the folder that it had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.model.event import Rebound, Resumed, TaskOpened
from passdown.model.packet import Packet
from passdown.workspace.identity import rebind

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.rules.task import TaskView

HOW = "passdown resume --rebind binds it to this folder and goes on; passdown pack --rebind binds it and packs"


def moved(context: Context) -> tuple[TaskView, str, str] | None:
    """The task of this branch whose worktree is nowhere any more, that worktree's id and folder.

    None where this worktree has a record of its own. A copy of a repository is another clone: it has moved nothing.
    """
    from passdown.guard.arm import live_worktrees

    place, tasks = context.place, context.tasks
    if any(spot[0] == place.worktree_id for task in tasks.values() for spot in task.claims):
        return None
    alive = live_worktrees(place)
    found = [
        (order, task, spot[0])
        for task in tasks.values()
        for spot, order in task.claims.items()
        if spot[0] not in alive and spot[1] == place.branch and not task.ended
    ]
    mine = [r for r in context.recorder.records() if r.here and isinstance(r.body, Packet | TaskOpened | Resumed)]
    own = {record.task for record in mine}
    found = [one for one in found if one[1].id in own]
    if not found:
        return None
    _, task, worktree = max(found, key=lambda one: one[0])
    was = [p.body.place.worktree for p in task.packets if p.body.place.worktree_id == worktree]
    return task, worktree, was[-1] if was else "another folder"


def was_moved(context: Context) -> PassdownError | None:
    """What to say of a moved repository, None where it is none."""
    found = moved(context)
    if found is None:
        return None
    task, _, was = found
    return PassdownError(f"this worktree was at {was}: its task {task.id[:7]} is bound to that folder", HOW)


def bind(context: Context) -> None:
    """Take this worktree for the one that was moved, and say so in the record; PassdownError where none was."""
    found = moved(context)
    if found is None:
        raise PassdownError("nothing to rebind: no task of this branch lost its worktree", "passdown status")
    task, worktree, was = found
    place = context.place
    body = Rebound(task=task.id, worktree_id=worktree, was=was, now=str(place.root), branch=place.branch, by=context.me)
    context.recorder.append(body, task=task.id, at=context.now)
    rebind(place.git_dir, place.home, worktree)
    context.forget_place()


def here_again(context: Context, *, rebind: bool) -> None:
    """Bind where that was asked for; else PassdownError where the repository was moved: packing would begin anew."""
    if rebind:
        bind(context)
        return
    was = was_moved(context) if context.task is None else None
    if was is not None:
        raise was
