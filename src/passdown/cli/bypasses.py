"""What the guard had denied and what changed all the same, by another way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.model.paths import printable

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.ledger.fact import Fact
    from passdown.rules.task import TaskView

Touch = Mapping[str, str | int | None]


def denied(touches: Iterable[Touch]) -> set[str]:
    """Paths that were refused to the run: by the guard, or by the person whom the client asked.

    A call that a person was asked about and that then changed something had their yes.
    """
    told = list(touches)
    landed = {touch.get("call") for touch in told if touch.get("where") == "outside-landed"} - {None}
    refused = [touch for touch in told if touch.get("where") == "outside-blocked"]
    refused += [touch for touch in told if touch.get("where") == "asked" and touch.get("call") not in landed]
    return {printable(str(touch["path"])) for touch in refused if touch.get("path")}


def bypasses(context: Context, task: TaskView | None) -> list[Fact]:
    """The record's facts of them, oldest first; [] where there is no task."""
    return list(context.recorder.facts(task=task.id, kind="bypass")) if task is not None else []


def standing(context: Context, task: TaskView) -> list[str]:
    """Their paths, as records name them, that are not as they were when the run began and that nobody let stand."""
    from passdown.cli.strays import now_of
    from passdown.guard.unjudged import let_stand
    from passdown.workspace.diff import tree_diff

    found = dict.fromkeys(str(fact.data.get("path")) for fact in bypasses(context, task))
    began = task.resumes[-1].body.tree if task.resumes else task.opened.body.tree if task.opened else None
    if not found or began is None:
        return []
    try:
        differs = {printable(change.path) for change in tree_diff(context.place, began, context.snapshot.tree)}
    except PassdownError:  # its content is not here
        return list(found)
    accepted = let_stand(now_of(context), task)
    return [path for path in found if path in differs and path not in accepted]
