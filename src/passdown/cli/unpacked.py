"""The agents' sessions of this worktree, and what of them no packet has sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.rules.instants import seconds

if TYPE_CHECKING:
    from passdown.agents.protocol import FoundSession
    from passdown.cli.context import Context


def unpacked(context: Context) -> list[FoundSession]:
    """Those with records that no packet has sealed, newest first."""
    return [found for found in context.sessions if _has_more(context, found)]


def _has_more(context: Context, found: FoundSession) -> bool:
    """A session whose last record is no later than what is packed of it is not read again."""
    from passdown.agents.sessions import read_session

    runs = [p.body.run for task in context.tasks.values() for p in task.packets if p.body.run.session == found.session]
    ends = [end for run in runs if (end := seconds(run.ended)) is not None]
    last = seconds(found.modified)
    if ends and last is not None and last <= max(ends):
        return False
    sealed = max((run.through for run in runs if run.through is not None), default=-1)
    return sealed < 0 or read_session(found.path, outputs=False).input.records - 1 > sealed
