"""A repository that was moved: its record still speaks of the folder that it had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.model.event import Resumed, TaskOpened
from passdown.model.packet import Packet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passdown.ledger.ledger import Ledger
    from passdown.rules.task import TaskView
    from passdown.workspace.place import Place

HOW = "passdown resume --rebind binds it to this folder and goes on; passdown pack --rebind binds it and packs"


def moved(place: Place, tasks: Mapping[str, TaskView], recorder: Ledger) -> tuple[TaskView, str, str] | None:
    """The task of this branch whose worktree is nowhere any more, that worktree's id and folder.

    None where this worktree has a record of its own. A copy of a repository is another clone: it has moved nothing.
    """
    from passdown.guard.arm import live_worktrees

    if any(spot[0] == place.worktree_id for task in tasks.values() for spot in task.claims):
        return None
    alive = live_worktrees(place)
    found = [
        (order, task, spot[0])
        for task in tasks.values()
        for spot, order in task.claims.items()
        if spot[0] not in alive and spot[1] == place.branch and not task.ended
    ]
    mine = [r for r in recorder.records() if r.here and isinstance(r.body, Packet | TaskOpened | Resumed)]
    own = {record.task for record in mine}
    found = [one for one in found if one[1].id in own]
    if not found:
        return None
    _, task, worktree = max(found, key=lambda one: one[0])
    was = [p.body.place.worktree for p in task.packets if p.body.place.worktree_id == worktree]
    return task, worktree, was[-1] if was else "another folder"


def was_moved(place: Place, tasks: Mapping[str, TaskView], recorder: Ledger) -> PassdownError | None:
    """What to say of a moved repository, None where it is none."""
    found = moved(place, tasks, recorder)
    if found is None:
        return None
    task, _, was = found
    return PassdownError(f"this worktree was at {was}: its task {task.id[:7]} is bound to that folder", HOW)
