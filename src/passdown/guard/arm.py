"""Bringing the hook's rules to what the record says: for every worktree of the repository, after each change."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import structs

from passdown.guard import hook_files
from passdown.guard.compiled import Arming, Gate, compiled, for_worktree
from passdown.guard.hook import lease
from passdown.guard.hook.scan import text_of
from passdown.model.event import (
    BoundarySet,
    Closed,
    GuardSwitched,
    Lifted,
    ReadBack,
    Resumed,
    RolledBack,
    TaskOpened,
    Verdict,
)
from passdown.model.forge import Lapsed
from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.rules.handed import Handed, gate, handed
from passdown.rules.task import IDLE_DAYS, InForce, Spot, TaskView, binding
from passdown.workspace.identity import worktree_id
from passdown.workspace.place import Place

BINDING = (
    *(TaskOpened, BoundarySet, Verdict, Lapsed, Resumed, Closed, RolledBack, GuardSwitched),
    *(Packet, ReadBack, Lifted),  # they shut or open the gate of a run that must read back first
)
_DAY = 86_400.0


def refresh(place: Place, tasks: Mapping[str, TaskView], policy: Policy, now: str) -> None:
    """Write or remove the rules of each worktree; nothing where no hook was ever put in place."""
    if not hook_files.wrapper(place.home).is_file():
        return
    for git_dir in worktrees(place.common_dir):
        path = hook_files.rules_file(place.home, git_dir, place.common_dir)
        worktree = worktree_id(git_dir, place.home)
        bound = bindings(tasks, worktree, now)
        if not bound:
            hook_files.remove_rules(path)
            continue
        rules = {
            branch: compiled(
                structs.replace(
                    _arming(task, (worktree, branch), found, policy),
                    lease=lease.path_of(str(place.common_dir), path.stem),
                    gate=_gate(place, task, found, (path, (worktree, branch)))
                    if policy.readback == "required"
                    else None,
                )
            )
            for branch, (task, found) in bound.items()
        }
        gaps = [until for task, _ in bound.values() if (until := task.off_until(worktree)) is not None]
        off = max((datetime.fromisoformat(until).timestamp() for until in gaps), default=0.0)
        hook_files.write_rules(path, for_worktree(rules, off_until=off))


def bindings(tasks: Mapping[str, TaskView], worktree: str, now: str) -> dict[str | None, tuple[TaskView, InForce]]:
    """What binds each branch of a worktree; of two tasks on one branch the one that was touched last."""
    found: dict[str | None, tuple[TaskView, InForce]] = {}
    for task in tasks.values():
        for spot in task.in_force:
            force = binding(task, spot, now) if spot[0] == worktree else None
            if force is not None and (spot[1] not in found or found[spot[1]][1].touched < force.touched):
                found[spot[1]] = (task, force)
    return found


def worktrees(common_dir: Path) -> Iterator[Path]:
    """The git folders of the main worktree and of the linked ones."""
    yield common_dir
    try:
        yield from sorted(Path(os.path.realpath(each.path)) for each in os.scandir(common_dir / "worktrees"))
    except FileNotFoundError:
        return


def live_worktrees(place: Place) -> set[str]:
    """The ids of all worktrees that the repository has now."""
    return {worktree_id(git_dir, place.home) for git_dir in worktrees(place.common_dir)}


def _gate(place: Place, task: TaskView, found: InForce, at: tuple[Path, Spot]) -> Gate | None:
    """What the run here must restate before it writes; None where no packet was handed to it."""
    path, spot = at
    text, given = gate(task, spot, found.boundary), handed(task, spot)
    if text is None or given is None:
        return None
    return Gate(text=text, marker=str(path.with_suffix(".compacted")), sessions=_who_read(given, place, path.stem))


def _who_read(given: Handed, place: Place, worktree: str) -> dict[str, float]:
    """Session -> when it read back. An agent's that nobody named is the one that holds the worktree's lease."""
    found: dict[str, float] = {}
    held = lease.load(lease.path_of(str(place.common_dir), worktree)) or {}
    for said in given.read:
        session = said.body.session or (text_of(held.get("session")) if said.body.by == "agent" else "")
        found[session] = max(found.get(session, 0.0), datetime.fromisoformat(said.at).timestamp())
    return found


def _arming(task: TaskView, spot: Spot, found: InForce, policy: Policy) -> Arming:
    until = datetime.fromisoformat(found.touched).timestamp() + IDLE_DAYS * _DAY
    began = [each.body for each in task.resumes if (each.body.worktree_id, each.body.branch) == spot]
    start = began[-1] if began else task.opened.body if task.opened is not None else None
    return Arming(
        boundary=found.boundary,
        task=task.id,
        mode=policy.guard_mode,
        until=until,
        derived=tuple(policy.derived),
        tree=start.tree if start is not None else None,
        head=start.head if start is not None else None,
        moves=start.moves if start is not None else 0,
    )
