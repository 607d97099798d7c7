"""Where a command stands, as boundaries bind: a worktree and a branch; a detached HEAD on the branch that it left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passdown.rules.task import Spot, TaskView
    from passdown.workspace.place import Place


def spot_of(place: Place, tasks: Mapping[str, TaskView]) -> Spot:
    """The worktree on its branch; detached, on the branch that it left, while a boundary binds that and none this."""
    here = (place.worktree_id, place.branch)
    if place.branch is not None:
        return here
    bound = {branch for task in tasks.values() if not task.ended for at, branch in task.in_force if at == here[0]}
    if not bound or None in bound:
        return here
    from passdown.guard.hook import place as of_hook
    from passdown.guard.hook.left import left_branch

    git_dir = str(place.git_dir)
    table = (place.git_dir / "HEAD").read_text().strip() == of_hook.IN_A_TABLE
    left = left_branch(git_dir, [name for name in bound if name], of_hook.logged(git_dir) if table else None)
    return here if left is None else (place.worktree_id, left)
