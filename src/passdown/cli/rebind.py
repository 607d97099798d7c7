"""Taking this worktree for the one that was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.moved import moved
from passdown.errors import PassdownError
from passdown.model.event import Rebound
from passdown.workspace.identity import rebind

if TYPE_CHECKING:
    from passdown.cli.context import Context


def bind(context: Context) -> None:
    """Take this worktree for the one that was moved, and say so in the record; PassdownError where none was."""
    found = moved(context.place, context.tasks, context.recorder)
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
    was = context.was_moved() if context.task is None else None
    if was is not None:
        raise was
