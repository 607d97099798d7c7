"""The status on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.boundary_screen import budget
from passdown.cli.output import fit, local
from passdown.cli.paint import screen_width
from passdown.cli.status import next_command, sessions, unpacked
from passdown.packet.text import place_of

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Hold, Packet
    from passdown.rules.task import TaskView

_LABEL = 11
_ITEMS = 5


def screen(context: Context, task: TaskView | None, packet: Packet | None, hold: Hold) -> list[str]:
    """Label and fact on each line, the next command last; nothing wider than the screen."""
    where = f"branch {context.place.branch}" if context.place.branch else "detached HEAD"
    if task is None:
        rows = [("No task", f"on {where} in {context.place.root}")]
        rows.append(("Session", _session(context)))
    else:
        rows = [("Task", f"{task.title}   {task.state}   {where}"), *_rows(context, task, packet)]
        rows += _hold(hold)
    rows.append(("Next", next_command(context, task, packet, hold)))
    return [f"{label:<{_LABEL}}{fit(text, screen_width() - _LABEL)}" for label, text in rows]


def _session(context: Context) -> str:
    if not sessions(context):
        return "none has worked in this worktree"
    return "an agent worked here" if unpacked(context) else "an agent worked here; all of it is packed"


def _rows(context: Context, task: TaskView, packet: Packet | None) -> list[tuple[str, str]]:
    rows = [("Goal", f'"{task.goal.text}"' if task.goal.text else "not known")]
    if packet is not None:
        rows.append(("Packet", _packet(packet, context.lapsed(packet))))
    rows.append(("Boundary", _boundary(context, task)))
    passing = [check.name for check in packet.checks if check.class_ == "VERIFIED"] if packet is not None else []
    if packet is not None:
        rows.append(("Passes", f"{', '.join(passing)} on this code" if passing else "nothing yet on this code"))
    for at, item in enumerate(task.items[:_ITEMS]):
        rows.append(("Open" if at == 0 else "", f"{item.id} {item.text}"))
    if len(task.items) > _ITEMS:
        rows.append(("", f"... {len(task.items) - _ITEMS} more: passdown show"))
    return rows


def _packet(packet: Packet, lapsed: str | None) -> str:
    sealed = local(packet.sealed_at)
    verdict = packet.verdict
    if lapsed is not None:
        return f"{(packet.packet or '')[:7]} of {sealed}, its answer lapsed: {lapsed}"
    if verdict is None:
        return f"{(packet.packet or '')[:7]} of {sealed}, not answered"
    word = {"reassign": "handed over", "rollback": "roll back"}.get(verdict.answer, verdict.answer)
    return f"{(packet.packet or '')[:7]} of {sealed}, {word} by {verdict.by}{' (self)' if verdict.self else ''}"


def _boundary(context: Context, task: TaskView) -> str:
    force = task.in_force.get((context.place.worktree_id, context.place.branch))
    boundary = force.boundary if force is not None else task.next_boundary()
    if boundary is None:
        return "none yet"
    allowed = "  ".join(place_of(entry) for entry in boundary.allow[:4]) or "nothing"
    more = f" +{len(boundary.allow) - 4} more" if len(boundary.allow) > 4 else ""  # noqa: PLR2004 -- four are shown
    limits = budget(boundary)
    state = "armed" if force is not None else "not armed"
    return f"{boundary.source}, {state}: {allowed}{more}{'  ' + limits if limits else ''}"


def _hold(hold: Hold) -> list[tuple[str, str]]:
    if not hold.reasons:
        return [("Hold", "none")]
    label = {"HOLD": "HOLD", "WATCH": "Watch", "GO": "Hold"}[hold.state]
    return [(label if at == 0 else "", reason.fact) for at, reason in enumerate(hold.reasons[:_ITEMS])]
