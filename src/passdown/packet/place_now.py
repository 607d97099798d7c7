"""Whether a packet fits the place that one stands in, and what happened there since."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from passdown.model.boundary import Boundary
from passdown.model.event import Resumed
from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.packet.base_branch import Base
from passdown.packet.drift import allowed, changed_inside
from passdown.packet.now import path_changes
from passdown.packet.own_settings import Ours
from passdown.rules.judge import Context, judge
from passdown.rules.task import Stated, TaskView
from passdown.workspace import diff, history
from passdown.workspace.midway import Midway, midway
from passdown.workspace.place import Place
from passdown.workspace.refs import remote_name
from passdown.workspace.snapshot import Snapshot
from passdown.workspace.worktrees import any_live, holder, live


def wrong_place(place: Place, packet: Packet) -> tuple[str, str] | None:
    """``(fact, the command that leads there)`` of another worktree or branch than the packet's (cases F2, F3, F4)."""
    sealed = packet.place
    if sealed.worktree_id and sealed.worktree_id != place.worktree_id:
        return f"this is {place.root}, the packet is of {sealed.worktree}", _to_worktree(place, packet)
    if sealed.branch != place.branch:
        here = f"branch {place.branch}" if place.branch else "a detached HEAD"
        of = f"branch {sealed.branch}" if sealed.branch else "a detached HEAD"
        at = midway(place)
        amid = f" in the midst of a {at.name}" if at is not None else ""
        return f"this is {here}{amid}, the packet is of {of}", _out_of(at, packet) or _to_branch(place, packet)
    return None


def _to_worktree(place: Place, packet: Packet) -> str:
    """Its folder where it lives, else one to be made: where it was, or beside this one where that cannot be."""
    name, sealed = (packet.packet or "")[:7], packet.place
    there = live(place, sealed.worktree_id, sealed.branch) or any_live(place, sealed.worktree_id)
    if there is not None:
        return f"cd {quote(str(there))}"
    was = Path(sealed.worktree)
    free = was.parent.is_dir() and not (was.exists() and (not was.is_dir() or any(was.iterdir())))
    folder = was if free else place.root.parent / f"{place.root.name}-{name}"
    held = holder(place, sealed.branch) if sealed.branch else None
    other = "" if held is None or held == place.root else f" -C {quote(str(held))}"
    aside = f"git{other} switch --detach && " if held is not None else ""  # a branch lives in one worktree at a time
    return f"{aside}passdown resume {name} --worktree {quote(str(folder))}"


def _out_of(at: Midway | None, packet: Packet) -> str:
    """The command that leaves what git is in the midst of, and switches where that does not lead to the branch."""
    if at is None:
        return ""
    branch, head = packet.place.branch, (packet.place.head or "")[:12]
    if branch == at.branch:
        return at.leave if at.finish == at.leave else f"{at.leave}, or end it: {at.finish}"
    return f"{at.leave} && " + (f"git switch {quote(branch)}" if branch else f"git switch --detach {head}")


def _to_branch(place: Place, packet: Packet) -> str:
    branch, head = packet.place.branch, (packet.place.head or "")[:12]
    there = live(place, place.worktree_id, branch)
    if there is not None:
        return f"cd {quote(str(there))}"
    if branch is None:
        return f"git switch --detach {head}"
    if history.resolve(place, f"refs/heads/{branch}") is not None:
        held = holder(place, branch)  # a branch lives in one worktree at a time
        aside = f"git -C {quote(str(held))} switch --detach && " if held is not None else ""
        return f"{aside}git switch {quote(branch)}"
    return f"git switch -c {quote(branch)} {head}".rstrip()


def pushed(place: Place, packet: Packet) -> bool:
    """Whether the commit that was on no remote when it was sealed is on one by now."""
    head = packet.place.head
    known = packet.place.on_remote is False and head is not None and history.resolve(place, head) is not None
    return known and head is not None and history.on_remote(place, head) is not False


def push(place: Place, packet: Packet) -> str:
    """The command that sends the packet's branch to its remote."""
    branch, remote = packet.place.branch, remote_name(place) or "origin"
    if branch is None:
        return f"git switch -c NAME && git push -u {quote(remote)} NAME"
    settings = place.settings
    tracks = settings.get(f"branch.{branch}.merge") == f"refs/heads/{branch}" and f"branch.{branch}.remote" in settings
    return "git push" if tracks and place.branch == branch else f"git push -u {quote(remote)} {quote(branch)}"


def landed_outside(
    place: Place, policy: Policy, resumed: Stated[Resumed], now: Snapshot, since: Boundary | None, *, ours: Ours
) -> Sequence[str]:
    """Paths that the open run changed outside its boundary, and outside the one that a person gave it ``since``."""
    body = resumed.body
    if body.worktree_id != place.worktree_id or body.tree == now.tree:
        return []
    every = diff.tree_diff(place, body.tree, now.tree, counts=True)
    changes = [change for change in every if (change.path, change.new_blob) not in ours]
    context = Context(derived=policy.derived, paths=list(diff.list_tree(place, now.tree)))
    found = [v.path for v in judge(body.boundary, path_changes(place, changes), context)]
    if since is None or since.source == "proposed":  # a proposal follows what was done: it decides nothing
        return found
    inside = allowed(since)
    return [path for path in found if not inside(path)]


def verdict_fault(place: Place, base: Base, task: TaskView | None, packet: Packet) -> str | None:
    """Why the verdict in force no longer fits: its comment is not what it was, or upstream changed a file inside."""
    given = task.decision_of(packet.packet) if task is not None and packet.packet else None
    if task is None or given is None:
        return None
    if given.id in task.lapsed:
        return task.lapsed[given.id]
    moved = changed_inside(place, given.body.base, base.commit, given.body.boundary)
    return f"{moved[0]} changed upstream since the verdict of {given.body.by}" if moved else None
