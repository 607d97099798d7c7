"""What keeps a task from being closed as completed, and the line that says when nothing does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.tests_seen import to_see
from passdown.packet.tests_words import remarks
from passdown.rules.integrity.touch import acceptable

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.cli.verify_answer import Answer
    from passdown.model.packet import PacketCheck
    from passdown.rules.task import TaskView

COMMAND = "passdown outcome completed"
LINE = f"{COMMAND}   (every acceptance check passes on this code)"


def acceptance(context: Context, task: TaskView) -> dict[str, PacketCheck | None]:
    """Each acceptance check as it stands on the worktree now; None: never seen here."""
    from passdown.cli.rerun import standing_now

    found = standing_now(context)
    names = dict.fromkeys([*task.done, *(check.name for check in found if check.acceptance)])
    by_name = {check.name: check for check in found}
    return {name: by_name.get(name) for name in names}


def lacks(check: PacketCheck | None) -> str:
    """What keeps a check from counting, "" where nothing does."""
    if check is None or check.result is None:
        return "never ran here"
    if check.class_ == "VERIFIED" or acceptable(check):  # whether the changed tests were accepted is asked apart
        return ""
    if check.result != "PASSED":
        return f"{check.result}, exit {check.exit}"
    return "; ".join(check.freshness.because or check.not_verified) or "passed, but not on exactly this code"


def passes(check: PacketCheck | None) -> str:
    """How a check that lacks nothing counts."""
    stands_on = ", ".join(remarks(check)) if check is not None else ""
    seen = "; accepted" if stands_on and check is not None and not check.accepted else ""
    return "passes on this code" + (f" ({stands_on}{seen})" if stands_on else "")


def outside(answer: Answer | None) -> list[str]:
    """What `verify` finds outside a boundary that a person decided."""
    if answer is None:
        return []
    from passdown.cli.strays import told

    found = [f"{v.path} was {v.op} outside the boundary ({v.rule})" for v in answer.violations]
    return [*found, *(f"outside, judged by nobody: {told(stray)}" for stray in answer.strays)]


def closable(context: Context, answer: Answer | None = None) -> bool:
    """Whether every acceptance check passes on this code, `verify` holds (``answer``) and nobody stopped the task."""
    task = context.task
    if task is None or task.held is not None:
        return False
    checks = acceptance(context, task)
    if not checks or any(lacks(check) for check in checks.values()) or any(to_see(context, task)):
        return False
    from passdown.cli.judging import judge_here

    found = answer or judge_here(context, record=False)
    return found is not None and found.holds is True
