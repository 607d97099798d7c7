"""Taking the lease of a worktree for the run that begins, where no other agent's run lives in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.guard import lease as leases
from passdown.ledger.locks import exclusive
from passdown.packet.text import clock

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.guard.lease import Lease
    from passdown.model.packet import Packet


def other(context: Context, packet: Packet, *, starts: bool) -> Lease | None:
    """The live run that is in the way; None where the worktree is free, or this renews what holds it.

    A person's repeated `resume` of the same packet renews; a second agent is a second run, whatever its packet.
    """
    held = leases.holder(context.place)
    if held is None or leases.mine(held):
        return None
    again = held.packet == packet.packet and not starts and running_agent(os.environ) is None
    return None if again else held


def told(context: Context, held: Lease) -> str:
    """Who holds the worktree and since when."""
    return f"{who(held)} works here since {clock(held.since, context.now)}, from {held.packet[:7]}"


def who(held: Lease) -> str:
    """The agent and its process."""
    return f"{held.agent or 'an agent'} (process {held.pid})"


def take(context: Context, packet: Packet, run: str, client: str | None, over: Lease | None) -> None:
    """Write the lease of the run that begins or goes on; PassdownError where another was quicker.

    ``client``: what this process becomes. ``over``: the run that is taken over.
    """
    path = leases.path_of(context.place)
    path.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(path.with_suffix(".lock")):
        held = other(context, packet, starts=client is not None)
        if held is not None and (over is None or held.run != over.run or held.pid != over.pid):
            raise PassdownError(
                told(context, held), "wait until it ends, or: passdown resume --take-over", EXIT_DOES_NOT_HOLD
            )
        _take(context, packet, run, client)


def _take(context: Context, packet: Packet, run: str, client: str | None) -> None:
    held, agent = leases.holder(context.place), running_agent(os.environ)
    renewed = held is not None and held.packet == packet.packet and held.run == run
    if held is not None and renewed and client is None and (agent is None or leases.mine(held)):
        leases.take(context.place, held)
        return
    pid, start, space = leases.process(agent=agent is not None, starts=client is not None)
    gone = [*held.displaced, held.session] if held is not None and not leases.mine(held) else []
    name = client or agent or ""
    lease = leases.Lease(task=packet.task.id, packet=packet.packet or "", run=run, agent=name, since=context.now)
    leases.take(context.place, replace(lease, pid=pid, start=start, space=space, displaced=[s for s in gone if s]))


def persons(*, take_over: bool) -> None:
    """Raise where an agent would take over."""
    if take_over:
        refuse_agent("resume --take-over")


def document(held: Lease) -> dict[str, object]:
    """The lease as ``--json`` shows it."""
    return {"agent": held.agent, "process": held.pid, "since": held.since, "packet": held.packet, "run": held.run}
