"""Whether a packet fits the place that one stands in, and what happened there since."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.event import Resumed
from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.packet.base_branch import Base
from passdown.packet.drift import changed_inside
from passdown.packet.gather import path_changes
from passdown.rules.judge import Context, judge
from passdown.rules.task import Stated, TaskView
from passdown.workspace import diff
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot


def wrong_place(place: Place, packet: Packet) -> str | None:
    """Another worktree or branch than the packet's (cases F2, F3, F4)."""
    sealed = packet.place
    if sealed.worktree_id and sealed.worktree_id != place.worktree_id:
        return f"this is {place.root}, the packet is of {sealed.worktree}"
    if sealed.branch != place.branch:
        here = f"branch {place.branch}" if place.branch else "a detached HEAD"
        return f"this is {here}, the packet is of {f'branch {sealed.branch}' if sealed.branch else 'a detached HEAD'}"
    return None


def landed_outside(place: Place, policy: Policy, resumed: Stated[Resumed], now: Snapshot) -> Sequence[str]:
    """Paths that the open run changed outside the boundary that it was given."""
    body = resumed.body
    if body.worktree_id != place.worktree_id or body.tree == now.tree:
        return []
    changes = diff.tree_diff(place, body.tree, now.tree, counts=True)
    context = Context(derived=policy.derived, paths=list(diff.list_tree(place, now.tree)))
    return [v.path for v in judge(body.boundary, path_changes(place, changes), context)]


def verdict_fault(place: Place, base: Base, task: TaskView | None, packet: Packet) -> str | None:
    """Why the verdict in force no longer fits: upstream changed a file inside the boundary since."""
    given = task.decision_of(packet.packet) if task is not None and packet.packet else None
    if given is None:
        return None
    moved = changed_inside(place, given.body.base, base.commit, given.body.boundary)
    return f"{moved[0]} changed upstream since the verdict of {given.body.by}" if moved else None
