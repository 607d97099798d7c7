"""The owners of what a packet touches in words: who has answered, who is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.model.paths import from_wire, printable
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from passdown.cli.context import Context
    from passdown.model.event import Verdict
    from passdown.model.packet import Packet
    from passdown.review.asked_owners import AskedOwners
    from passdown.rules.task import TaskView

_NAMED, _PATHS = 3, 3


def owners_of(context: Context, packet: Packet, task: TaskView, lapsed: str | None) -> list[AskedOwners]:
    """The owners of what the run changed and of what the next one may write; [] where nobody is named.

    ``lapsed``: why the answer no longer binds, where it does not: then nobody has answered.
    """
    if not context.owners.sections:
        return []
    from passdown.review.asked_owners import asked_owners
    from passdown.review.verdict import allowed_paths

    touched = [from_wire(file.path, file.path_b64) for file in packet.files]
    boundary = task.next_boundary() or packet.boundary
    open_ = allowed_paths(boundary, tuple(context.view.entries))
    given = [] if lapsed else list(_standing(task, packet.packet or ""))
    return asked_owners(context.owners, [*touched, *open_], given)


def _standing(task: TaskView, packet: str) -> Iterable[Verdict]:
    """The answers to this packet in their order, without those whose comment was edited or is gone."""
    ordered = sorted(task.verdicts, key=lambda stated: stated.order)
    return [s.body for s in ordered if s.body.packet == packet and s.id not in task.lapsed]


def told(asked: AskedOwners) -> str:
    """``@core (3 files): nobody yet``."""
    section = f"[{asked.section}] " if asked.section else ""
    more = f" or {len(asked.owners) - _NAMED} more" if asked.owners[_NAMED:] else ""
    names = " or ".join(asked.owners[:_NAMED]) + more
    return printable(f"{section}{names} ({amount(len(asked.paths), 'file')}): {_state(asked)}")


def _state(asked: AskedOwners) -> str:
    said = ", ".join(f"{given.answer} by {given.by}" for given in asked.answers)
    own = f"only {asked.selves[-1].by}, who ran the agent" if asked.selves else ""
    if not said:
        return (own or "nobody yet") + (" (optional)" if asked.optional else "")
    return said if not asked.missing else f"{said}; {asked.approvals} are asked for"


def row(asked: Sequence[AskedOwners]) -> str:
    """All of them on a line, those whose answer is missing first."""
    return "; ".join(told(one) for one in asked)


def behind(asked: Sequence[AskedOwners]) -> list[str]:
    """A line each with the first of their files."""
    return [f"{told(one)}: {_paths(one)}" for one in asked]


def _paths(asked: AskedOwners) -> str:
    more = f" and {len(asked.paths) - _PATHS} more" if asked.paths[_PATHS:] else ""
    return ", ".join(printable(path) for path in asked.paths[:_PATHS]) + more
