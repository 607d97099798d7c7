"""Where a task is not: another worktree or clone, a folder that was a worktree, the project around a submodule."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.cli.folder import current_folder
from passdown.errors import PassdownError
from passdown.rules.instants import days_between
from passdown.workspace.identity import worktree_id
from passdown.workspace.worktrees import leftover, linked

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView

_DAYS = 14.0
"""After so long a packet is not pointed to any more."""


class Waiting(Struct, frozen=True):
    """A packet of an open task that lies elsewhere: where, the command that leads there, whether its work must come."""

    packet: Packet
    where: str
    way: str
    came: bool

    @property
    def name(self) -> str:
        """The beginning of its id."""
        return (self.packet.packet or "")[:7]


def waiting(context: Context) -> Waiting | None:
    """The newest packet that waits for somebody in another worktree, on another branch, or came from another clone."""
    from passdown.packet.place_now import wrong_place

    newest = [task.latest for task in context.tasks.values() if not task.ended and task.latest is not None]
    for stated in sorted(newest, key=lambda one: one.order, reverse=True):
        packet = replace(stated.body, packet=stated.id)
        away = wrong_place(context.place, packet)
        age = days_between(packet.sealed_at, context.now)
        if away is None or age is None or age > _DAYS:
            continue
        at, way = packet.place, away[1]
        came = not stated.here and not way.startswith("cd ")
        where = f"on branch {at.branch}" if at.branch else "on a detached HEAD"
        if at.worktree_id != context.place.worktree_id:
            other = "in another clone" if came else "in another worktree"
            where = f"in {at.worktree}, {where}" if stated.here else other
        return Waiting(packet, where, way, came)
    return None


def ended_here(context: Context) -> TaskView | None:
    """The task whose packet was the last of this worktree and branch, where it has ended."""
    here = (context.place.worktree_id, context.place.branch)
    found = [task for task in context.tasks.values() if task.latest is not None and task.ended]
    found = [t for t in found if t.latest and (t.latest.body.place.worktree_id, t.latest.body.place.branch) == here]
    return max(found, key=lambda task: task.latest.order if task.latest else (0, "", 0), default=None)


def no_packet(context: Context) -> PassdownError:
    """What to say where the task here has no packet, or where there is no task."""
    ended, there = (ended_here(context), waiting(context)) if context.task is None else (None, None)
    if ended is not None and ended.latest is not None and ended.outcome is not None:
        said = f"the task here is {ended.outcome.body.outcome}, and nothing was packed since"
        return PassdownError(
            said, f"its last packet: passdown show {ended.latest.id[:7]}; passdown pack seals what is here"
        )
    if there is not None:
        return PassdownError(f"no packet yet for this worktree and branch; {there.name} lies {there.where}", there.way)
    return PassdownError(
        "no packet yet for this worktree and branch", "passdown pack makes one; passdown log lists older ones"
    )


def refuse_leftover(context: Context) -> None:
    """PassdownError in a folder that was a worktree: git takes it for the one around it, and so would the next run."""
    place, here = context.place, current_folder()
    was = leftover(place, here) if here != place.root else None
    if was is None:
        return
    git_dir = next(git_dir for git_dir, folder in linked(place) if folder == was)
    known_as = worktree_id(git_dir.resolve(), place.home)
    packets = [packet for task in context.tasks.values() for packet in task.packets]
    names = [p.id[:7] for p in sorted(packets, key=lambda p: p.order) if p.body.place.worktree_id == known_as]
    away = f"mv {quote(str(was))} {quote(f'{was}.old')} && " if any(was.iterdir()) else ""
    again = f"{away}passdown resume {names[-1]} --worktree {quote(str(was))}" if names else "git worktree prune"
    raise PassdownError(
        f"{was} was a worktree and has lost its .git: git takes it for {place.root}",
        f"cd {quote(str(place.root))} && {again}",
    )


def around(context: Context) -> str | None:
    """In a submodule: the command that leads to the project around it. Told by its git folder's path alone (F10)."""
    parts = context.place.git_dir.parts
    for at, part in enumerate(parts[:-1]):
        if part == ".git" and parts[at + 1] == "modules":
            return f"{context.place.root.name} is a submodule; the project's task: cd {quote(str(Path(*parts[:at])))}"
    return None
