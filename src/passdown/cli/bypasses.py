"""What the guard had denied and what changed all the same, by another way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

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
