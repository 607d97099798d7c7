"""What changed outside the boundary and stands unanswered, as people read it; and what an answer lets stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.model.paths import printable
from passdown.packet.ask import Strays
from passdown.rules.decide import Asked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.cli.context import Context
    from passdown.guard.unjudged import Now, Stray, Unjudged
    from passdown.model.boundary import Boundary
    from passdown.model.packet import Answer, Packet
    from passdown.rules.task import TaskView

SHOWN = 10


def unjudged_of(context: Context, task: TaskView) -> Unjudged:
    """What changed outside the boundary in this task and stands without a person's answer; looked for once."""
    from passdown.guard.unjudged import unjudged

    if task.id not in context.unjudged:
        context.unjudged[task.id] = unjudged(now_of(context), task)
    return context.unjudged[task.id]


def now_of(context: Context) -> Now:
    """The worktree and its base branch, as what nobody judged is looked for."""
    from passdown.cli.verify_range import upstream
    from passdown.guard.unjudged import Now

    return Now(context.place, context.snapshot, lambda: upstream(context), context.policy.derived)


def weighed_strays(context: Context, task: TaskView | None) -> Strays:
    """The same as packets are weighed with."""
    found = unjudged_of(context, task).strays if task is not None else []
    return Strays([s.path for s in found if s.in_run], [s.path for s in found if not s.in_run])


def strays_of(context: Context, packet: Packet, task: TaskView) -> list[Stray]:
    """What an approval of this packet would let stand: nothing where it is not the newest."""
    newest = task.latest is not None and task.latest.id == packet.packet
    return unjudged_of(context, task).strays if newest else []


def let_stand(strays: Sequence[Stray], answer: Answer, boundary: Boundary) -> list[Stray]:
    """Those that the answer accepts: an approval all of them, a narrowing those that its boundary does not deny."""
    if answer not in ("approve", "narrow"):
        return []
    if answer == "approve":
        return list(strays)
    deny = Asked.of(boundary).deny
    return [stray for stray in strays if deny.matches(stray.path) is None]


def told(stray: Stray) -> str:
    """The path, how many lines, and where that was."""
    counts = "" if stray.added is None or stray.removed is None else f" +{stray.added} -{stray.removed}"
    return f"{printable(stray.path)}{counts} ({stray.where})"


def lines(label: str, strays: Sequence[Stray]) -> list[str]:
    """One a line, the first ones."""
    found = [f"{label if at == 0 else '':<11}{told(stray)}" for at, stray in enumerate(strays[:SHOWN])]
    more = [f"{'':<11}... and {len(strays) - SHOWN} more outside: --json lists them"] if strays[SHOWN:] else []
    return found + more


def names(strays: Sequence[Stray]) -> list[str]:
    """Their paths as records keep them."""
    return [printable(stray.path) for stray in strays]
