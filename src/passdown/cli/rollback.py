"""``passdown rollback``: bring the sealed state back, losing nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.cli.context import Context
from passdown.cli.output import aside, plain, print_json, say
from passdown.cli.rescued import record_rescue
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED, PassdownError
from passdown.model.event import Rescued, RolledBack
from passdown.model.packet import Packet
from passdown.rules.amount import amount
from passdown.workspace import diff, history, snapshot
from passdown.workspace.rescue import restore

if TYPE_CHECKING:
    from passdown.workspace.diff import Change

_SHOWN = 10


@click.command(epilog="Example:  passdown rollback 7c1e9a2")
@click.argument("packet")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def rollback(packet: str, as_json: bool) -> int:
    """Make the worktree exactly what it was when PACKET (or a rescue) was sealed.

    Today's state is rescued first. HEAD, index, branches and ignored files stay as they are. A person
    does it; an agent only where a reviewer's verdict asked for it. Exit 1: something still differs.
    """
    return roll_back(Context(), packet, as_json=as_json)


def roll_back(context: Context, packet: str, *, as_json: bool = False) -> int:
    """Rescue, restore, record, tell; the exit code."""
    target = _target(context, packet)
    _allowed(context, packet, target.packet)
    if not snapshot.kept(context.place, target.tree) and target.sealed is not None:
        from passdown.cli.arrival import fetch

        fetch(context, target.sealed)
    if not snapshot.kept(context.place, target.tree):
        raise PassdownError(
            f"the sealed content of {packet} is not in this clone", "fetch it where it was sealed", EXIT_UNDECIDED
        )
    changes = diff.tree_diff(context.place, context.snapshot.tree, target.tree)
    rescued, kept = record_rescue(context, f"before rollback to {packet}")
    residue = restore(context.place, target.tree)
    since = _since(context, target.head)
    body = RolledBack(
        task=target.task or "",
        packet=target.packet or packet,
        from_tree=kept.tree,
        to_tree=target.tree,
        rescued=rescued,
        residue=residue,
        commits_since=[commit for commit, _ in since],
    )
    statement = context.recorder.append(body, task=target.task, at=context.now, subjects={"tree": target.tree})
    if as_json:
        print_json({"statement": statement, "rolled_back": body, "changed": [change.path for change in changes]})
    else:
        _show(context, target.name, body, changes, since)
    return EXIT_DOES_NOT_HOLD if residue else 0


class _Target:
    """What to go back to: a packet's or a rescue's tree, and where HEAD was then."""

    def __init__(self, body: Packet | Rescued, digest: str) -> None:
        self.sealed = replace(body, packet=digest) if isinstance(body, Packet) else None
        self.name = digest[:7]
        self.tree = body.place.tree if isinstance(body, Packet) else body.tree
        self.head = body.place.head if isinstance(body, Packet) else body.head
        self.task = body.task.id if isinstance(body, Packet) else body.task
        self.worktree_id = body.place.worktree_id if isinstance(body, Packet) else body.worktree_id
        self.packet = digest if self.sealed is not None else None


def _target(context: Context, name: str) -> _Target:
    record = context.recorder.record(name)
    if not isinstance(record.body, Packet | Rescued):
        raise PassdownError(
            f"{name} is a {record.type}: it seals no worktree", "passdown log lists packets and rescues"
        )
    target = _Target(record.body, record.id)
    if target.worktree_id and target.worktree_id != context.place.worktree_id:
        was = context.was_moved()
        if was is not None:
            raise was
        raise PassdownError(
            f"wrong place: {name} was sealed in another worktree than {context.place.root}",
            "run it in the packet's own worktree: passdown show tells which",
        )
    return target


def _allowed(context: Context, name: str, packet: str | None) -> None:
    """An agent may carry out a reviewer's verdict, and nothing else."""
    if running_agent(os.environ) is None:
        return
    pending = [task.verdict.body for task in context.tasks.values() if task.verdict is not None]
    if not any(body.answer == "rollback" and packet in (body.to, body.packet) for body in pending):
        refuse_agent(f"rollback {name}")


def _since(context: Context, head: str | None) -> list[tuple[str, str]]:
    now = context.place.head
    if head is None or now is None or head == now or not history.is_ancestor(context.place, head, now):
        return []
    return history.commits_between(context.place, head, now)


def _show(context: Context, name: str, body: RolledBack, changes: list[Change], since: list[tuple[str, str]]) -> None:
    unequal = amount(len(body.residue), "path")
    proven = f"{unequal} not equal" if body.residue else "equal to the sealed state, proven"
    say(f"ROLLED BACK to {name}   {amount(len(changes), 'file')} changed back, {proven}")
    for change in changes[:_SHOWN]:
        say(f"  {_VERB[change.status]:<9}{plain(change.path)}")
    if len(changes) > _SHOWN:
        say(f"  ... {len(changes) - _SHOWN} more")
    for path in body.residue:
        aside(f"  still differs: {plain(path)}")
    if since:
        branch = context.place.branch or "this detached HEAD"
        say(f"Commits made since stay on {branch}:")
        for commit, subject in since[:_SHOWN]:
            say(f"  {commit[:9]} {plain(subject)}")
    say(f"Undo   passdown rollback {body.rescued[:7]}")


_VERB = {"added": "restored", "modified": "changed", "deleted": "removed", "mode": "mode", "type": "changed"}
