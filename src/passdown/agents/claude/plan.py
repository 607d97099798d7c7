"""The agent's own list, from TodoWrite or from the Task tools."""

from __future__ import annotations

import re

from passdown.agents.claude.records import TASK_STATE, Input, Result
from passdown.agents.wire import begins
from passdown.model.session import Todo, TodoStatus
from passdown.rules.patterns import lazy

_CREATED = lazy(r"\ATask #(\S+) created successfully: (.*)", re.DOTALL)
_STATUS: dict[str, TodoStatus] = {"pending": "pending", "in_progress": "in_progress", "completed": "completed"}


def status_of(word: str | None) -> TodoStatus:
    """Read a status; one that is not known is taken as open."""
    return _STATUS.get(word or "", "pending")


class TaskList:
    """The list as it stands; the Task tools change it entry by entry."""

    def __init__(self) -> None:
        self._tasks: dict[str, Todo] = {}

    def todos(self) -> tuple[Todo, ...]:
        """Return the entries in the order of their creation."""
        return tuple(self._tasks.values())

    def create(self, given: Input, result: Result | None, text: str) -> bool:
        """Add what TaskCreate made; its id stands only in the result."""
        task = TASK_STATE.decode(result.task) if result and begins(result.task, b"{") else None
        found = _CREATED.match(text)
        key = task.id if task and task.id else found[1] if found else ""
        subject = given.subject or (task.subject if task else "")
        if not key or not subject:
            return False
        self._tasks[key] = Todo(text=subject, status="pending")
        return True

    def update(self, given: Input, result: Result | None) -> bool:
        """Apply a TaskUpdate; ``deleted`` takes the entry out."""
        old = self._tasks.get(given.list_id or given.task_id or "")
        if old is None or (result is not None and result.success is False):
            return False
        key = given.list_id or given.task_id or ""
        if given.status == "deleted":
            del self._tasks[key]
        else:
            status = status_of(given.status) if given.status else old.status
            self._tasks[key] = Todo(text=given.subject or old.text, status=status)
        return True

    def listed(self, result: Result | None) -> bool:
        """Take over what TaskList showed."""
        tasks = result.tasks if result and result.tasks else []
        for task in tasks:
            self._tasks[task.id] = Todo(text=task.subject, status=status_of(task.status))
        return bool(tasks)


def todo_write(given: Input) -> tuple[Todo, ...]:
    """Return the list that a TodoWrite set."""
    return tuple(Todo(text=todo.content, status=status_of(todo.status)) for todo in given.todos or ())
