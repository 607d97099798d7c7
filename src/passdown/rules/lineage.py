"""Which packet `resume` takes (cases C1, C4, C5)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from passdown.model.packet import Packet
from passdown.rules.amount import amount
from passdown.rules.fold import same_task
from passdown.rules.instants import days_between
from passdown.rules.task import Stated, TaskView


class Here(Struct, frozen=True):
    """Where and when one asks; ``now`` ISO 8601, ``tree`` the worktree's snapshot.

    ``max_age_days`` None: who asks for it by a word of their own gets an old one too, and is told that it is.
    """

    worktree_id: str
    branch: str | None
    tree: str
    now: str
    max_age_days: float | None = 14.0


class Chosen(Struct, frozen=True):
    """The packet to resume (None: ``because`` says why) and those passed over: (digest, reason)."""

    packet: Stated[Packet] | None
    because: str
    passed_over: list[tuple[str, str]] = field(default_factory=list)


def choose(tasks: Mapping[str, TaskView], here: Here) -> Chosen:
    """The newest valid packet of this worktree and branch; older ones of its task are SUPERSEDED."""
    every = [(task, packet) for task in tasks.values() for packet in task.packets]
    every.sort(key=lambda pair: pair[1].order, reverse=True)
    chosen: Stated[Packet] | None = None
    passed_over: list[tuple[str, str]] = []
    begun = same_task(tasks, here.worktree_id, here.branch)
    for task, packet in every:
        why = _unfit(task, packet, here)
        if why is None and begun is not None and begun.latest is None:
            why = f"SUPERSEDED by the task that was begun since, {begun.title}"
        if why is None and chosen is not None:
            why = f"SUPERSEDED by {chosen.id[:7]}"
        if why is None:
            chosen = packet
        else:
            passed_over.append((packet.id, why))
    if chosen is None:
        because = passed_over[0][1] if passed_over else "no packet has been sealed here"
        return Chosen(None, because, passed_over)
    same = chosen.body.place.tree == here.tree
    because = "the newest packet of this worktree and branch" + (", on exactly this code" if same else "")
    return Chosen(chosen, because, passed_over)


def _unfit(task: TaskView, packet: Stated[Packet], here: Here) -> str | None:
    place = packet.body.place
    if (place.worktree_id, place.branch) != (here.worktree_id, here.branch):
        branch = f"branch {place.branch}" if place.branch else "a detached HEAD"
        where = "another worktree" if place.worktree_id != here.worktree_id else branch
        return f"it belongs to {where}"
    if task.latest is not None and task.latest.id != packet.id:
        return f"SUPERSEDED by {task.latest.id[:7]}"
    if task.outcome is not None:
        return f"its task ended: {task.outcome.body.outcome}"
    age = days_between(packet.body.sealed_at, here.now)
    if here.max_age_days is not None and age is not None and age > here.max_age_days:
        return f"EXPIRED: sealed {amount(round(age), 'day')} ago"
    return None
