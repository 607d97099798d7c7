"""At most once a week `status` says that there is something to learn; to a person, and never while a run is open."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from passdown.cli.agent_process import running_agent
from passdown.cli.output import at_terminal
from passdown.rules.amount import amount
from passdown.rules.instants import DAY, seconds

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.rules.task import TaskView

_DAYS = 7
_TOLD = "learn-told"


def weekly(context: Context, task: TaskView | None) -> str | None:
    """The line, None where it is not the time, nothing is proposed, or a run is open here."""
    if not at_terminal() or running_agent(os.environ) is not None or not context.place.home.is_dir():
        return None
    if (task is not None and task.open_run() is not None) or not _due(context):
        return None
    from passdown.cli.learn import unanswered

    found = unanswered(context)
    return f"Learn  {amount(len(found), 'thing')} went wrong again and again: passdown learn" if found else None


def _due(context: Context) -> bool:
    """Whether a week has gone since it was looked for; from now on it has not. Where that cannot be kept: no."""
    stamp, now = context.place.home / _TOLD, seconds(context.now) or 0.0
    try:
        if stamp.exists() and now - stamp.lstat().st_mtime < _DAYS * DAY:
            return False
        stamp.touch()
    except OSError:
        return False
    return True
