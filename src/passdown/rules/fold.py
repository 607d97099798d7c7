"""Records to the state of each task: the same answer whatever the order of arrival."""

from __future__ import annotations

from collections.abc import Iterable

from passdown.model.event import Record
from passdown.rules.task import TaskView


def fold(records: Iterable[Record]) -> dict[str, TaskView]:
    """Every task that the records speak of, by id."""
    raise NotImplementedError


def same_task(tasks: dict[str, TaskView], worktree_id: str, branch: str | None) -> TaskView | None:
    """The task that new work at this spot belongs to, or None: a new task (semantics: section 1)."""
    raise NotImplementedError
