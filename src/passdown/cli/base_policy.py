"""Which policy a verb goes by: the base's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.output import aside, plain
from passdown.errors import PassdownError

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.policy import Policy


def found_policy(context: Context) -> tuple[Policy, str | None, str]:
    """``(policy, base commit, because)``: a named base's alone, else that of the base found here."""
    from passdown.checks.policy import base_policy, find_policy

    if context.named_base is not None:
        return base_policy(context.place, context.named_base), context.named_base, "named"
    start = _first_head(context)
    try:
        return find_policy(context.place, start)
    except PassdownError as error:
        if context.strict:
            raise
        found = find_policy(context.place, start, strict=False)  # raises again where the base is at fault
        aside(f"{plain(error.message)}: what this worktree's policy proposes was left out")
        return found


def _first_head(context: Context) -> str | None:
    """HEAD where the task here began: it stands in for a base branch."""
    from passdown.rules.fold import same_task

    task = same_task(context.tasks_alone, context.place.worktree_id, context.place.branch)
    if task is None:
        return context.place.head
    if task.opened is not None:
        return task.opened.body.head
    first = task.packets[0].body.place if task.packets else None
    return (first.base or first.head) if first is not None else context.place.head
