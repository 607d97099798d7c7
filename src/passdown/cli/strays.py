"""What changed outside the boundary and stands unanswered, as people read it; and what an answer lets stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from passdown.cli.bypasses import bypasses
from passdown.errors import PassdownError
from passdown.model.paths import printable
from passdown.packet.ask import Strays
from passdown.packet.words import BYPASSED
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
        found = unjudged(now_of(context), task)
        again = {fact.data.get("path") for fact in bypasses(context, task)} if found.strays else set()
        marked = [structs.replace(stray, bypassed=printable(stray.path) in again) for stray in found.strays]
        context.unjudged[task.id] = structs.replace(found, strays=marked)
    return context.unjudged[task.id]


def now_of(context: Context) -> Now:
    """The worktree and its base branch, as what nobody judged is looked for."""
    from passdown.cli.verify_range import upstream
    from passdown.guard.unjudged import Now
    from passdown.rules.installed import init_wrote

    ours = init_wrote(context.recorder.records(type="guard-installed"), context.place.worktree_id)
    return Now(context.place, context.snapshot, lambda: upstream(context), context.policy.derived, ours)


def weighed_strays(context: Context, task: TaskView | None) -> Strays:
    """The same as packets are weighed with."""
    found = unjudged_of(context, task).strays if task is not None else []
    return Strays([s.path for s in found if s.in_run], [s.path for s in found if not s.in_run])


def strays_of(context: Context, packet: Packet, task: TaskView) -> list[Stray]:
    """What an approval of this packet would let stand: nothing where it is not the newest."""
    newest = task.latest is not None and task.latest.id == packet.packet
    return unjudged_of(context, task).strays if newest else []


def standing_bypasses(context: Context, task: TaskView) -> list[str]:
    """Paths that the guard had denied, that are not as they were when the run began and that nobody let stand."""
    from passdown.guard import unjudged
    from passdown.workspace.diff import tree_diff

    found = dict.fromkeys(str(fact.data.get("path")) for fact in bypasses(context, task))
    began = task.resumes[-1].body.tree if task.resumes else task.opened.body.tree if task.opened else None
    if not found or began is None:
        return []
    try:
        differs = {printable(change.path) for change in tree_diff(context.place, began, context.snapshot.tree)}
    except PassdownError:  # its content is not here
        return list(found)
    accepted = unjudged.let_stand(now_of(context), task)
    return [path for path in found if path in differs and path not in accepted]


def let_stand(strays: Sequence[Stray], answer: Answer, boundary: Boundary) -> list[Stray]:
    """Those that the answer accepts: an approval all of them, a narrowing those that its boundary does not deny."""
    if answer not in ("approve", "narrow"):
        return []
    if answer == "approve":
        return list(strays)
    deny = Asked.of(boundary).deny
    return [stray for stray in strays if deny.matches(stray.path) is None]


def told(stray: Stray) -> str:
    """The path, how many lines, whether it had been denied, and where that was."""
    counts = "" if stray.added is None or stray.removed is None else f" +{stray.added} -{stray.removed}"
    again = f"{BYPASSED}; " if stray.bypassed else ""
    return f"{printable(stray.path)}{counts} ({again}{stray.where})"


def lines(label: str, strays: Sequence[Stray]) -> list[str]:
    """One a line, the first ones."""
    found = [f"{label if at == 0 else '':<11}{told(stray)}" for at, stray in enumerate(strays[:SHOWN])]
    more = [f"{'':<11}... and {len(strays) - SHOWN} more outside: --json lists them"] if strays[SHOWN:] else []
    return found + more


def names(strays: Sequence[Stray]) -> list[str]:
    """Their paths as records keep them."""
    return [printable(stray.path) for stray in strays]
