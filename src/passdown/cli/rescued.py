"""Keeping the worktree as it is now, and saying so in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.model.event import Rescued
from passdown.workspace.rescue import rescue

if TYPE_CHECKING:
    from passdown.cli.context import Context


def record_rescue(context: Context, why: str) -> tuple[str, Rescued]:
    """Keep the worktree and say so in the record: the statement's id and what it says."""
    kept = rescue(context.place)
    task = context.task
    body = Rescued(
        task=task.id if task else None,
        tree=kept.tree,
        head=context.place.head,
        branch=context.place.branch,
        worktree_id=context.place.worktree_id,
        why=context.redact(why),
    )
    statement = context.recorder.append(body, task=body.task, at=context.now, subjects={"tree": kept.tree})
    return statement, body
