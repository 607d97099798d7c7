"""The run that is open here: which agent holds the worktree, and whether its packet was taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli import holding
from passdown.guard import lease as leases
from passdown.packet.text import clock
from passdown.rules.handed import handed

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Packet
    from passdown.rules.handed import Handed
    from passdown.rules.task import TaskView


def document(context: Context, task: TaskView | None) -> dict[str, object]:
    """``lease`` and ``handed`` as ``status --json`` shows them; null where there is none."""
    held, given = leases.holder(context.place), _handed(context, task)
    return {
        "lease": holding.document(held) if held is not None else None,
        "handed": None if given is None else {"packet": given.packet, "at": given.resumed.at, "read_back": _how(given)},
    }


def words(context: Context, task: TaskView, packet: Packet | None) -> str:
    """Who is at work, and what of the handoff is still to come; "" where nothing was handed over."""
    held, given = leases.holder(context.place), _handed(context, task)
    said = [f"{holding.who(held)} since {clock(held.since, context.now)}"] if held is not None else []
    if given is not None and packet is not None and packet.readback != "off":
        name, how = given.packet[:7], _how(given)
        took = {"pending": "not read back yet", "entered": "taken in by a person's Enter"}
        said.append(f"{name} handed over {clock(given.resumed.at, context.now)}, {took.get(how, how)}")
    return "; ".join(said)


def _handed(context: Context, task: TaskView | None) -> Handed | None:
    spot = (context.place.worktree_id, context.place.branch)
    return handed(task, spot) if task is not None else None


def _how(given: Handed) -> str:
    if given.accepted is not None:
        return "read back"
    return "entered" if given.entered else "pending"
