"""The boundary that binds where a command stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.spot import spot_of

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.rules.task import InForce, TaskView


def here_in_force(context: Context, task: TaskView | None = None) -> InForce | None:
    """What binds here of the task (None: of the one that is here), whether it has run out or not."""
    task = task or context.task
    return task.in_force.get(spot_of(context.place, context.tasks)) if task is not None else None


def binding_here(context: Context, task: TaskView) -> InForce | None:
    """What binds here of the task now; what has run out does not."""
    from passdown.rules.task import binding

    return binding(task, spot_of(context.place, context.tasks), context.now)
