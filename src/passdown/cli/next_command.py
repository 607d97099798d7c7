"""What a person types now, as `status` says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.elsewhere import waiting
from passdown.cli.unpacked import unpacked
from passdown.packet.words import finished

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Hold, Packet
    from passdown.rules.task import TaskView


def next_command(context: Context, task: TaskView | None, packet: Packet | None, hold: Hold) -> str:
    """The command; a word on when, where that is not now."""
    if task is None and context.was_moved() is not None:
        return "passdown resume --rebind"
    if task is None:
        return _begin(context)
    verdict = task.verdict.body if task.verdict is not None else None
    if verdict is not None and verdict.answer == "rollback" and task.state != "rolled-back":
        return f"passdown rollback {(verdict.to or verdict.packet)[:7]}"
    if hold.state == "HOLD":
        return hold.reasons[0].lifts
    if packet is not None and finished(packet):
        return "passdown outcome completed"
    latest = task.latest
    if latest is None or (task.resumes and task.resumes[-1].order > latest.order):
        return "passdown verify   when the run has stopped: passdown pack"
    if (
        packet is not None
        and packet.verdict is None
        and (context.policy.mode == "team" or context.policy.review_required)
    ):
        return "passdown review"
    return "passdown resume   (or first: passdown review)" if verdict is None else "passdown resume"


def _begin(context: Context) -> str:
    """Where no task is open here: pack what a session did, else go on with what another clone sent, else begin."""
    if unpacked(context):
        return "passdown pack"
    there = waiting(context)
    if there is not None and there.came:
        return there.way
    return 'passdown start "GOAL"   or run an agent, then: passdown pack'
