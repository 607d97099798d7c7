"""Which policy a verb goes by: the base's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.output import aside, plain
from passdown.errors import EXIT_UNDECIDED, PassdownError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from passdown.agents.protocol import FoundSession
    from passdown.model.policy import Policy
    from passdown.rules.task import TaskView
    from passdown.workspace.place import Place


def found_policy(place: Place, start: str | None, *, strict: bool) -> tuple[Policy, str | None, str]:
    """``(policy, base commit, because)`` of the base found here; ``start`` stands in for a base branch."""
    from passdown.checks.policy import find_policy

    try:
        return find_policy(place, start)
    except PassdownError as error:
        if strict:
            raise
        found = find_policy(place, start, strict=False)  # raises again where the base is at fault
        if error.code != EXIT_UNDECIDED:  # else git had failed, where a disk is full say, and now it did not
            aside(f"{plain(error.message)}: what this worktree's policy proposes was left out")
        return found


def first_head(
    place: Place, tasks: Mapping[str, TaskView], sessions: Callable[[], Sequence[FoundSession]]
) -> str | None:
    """HEAD where the task here began, else the newest session: it stands in for a base branch."""
    from passdown.rules.fold import same_task

    task = same_task(tasks, place.worktree_id, place.branch)
    if task is None:
        return _session_head(place, sessions) or place.head
    if task.opened is not None:
        return task.opened.body.head
    first = task.packets[0].body.place if task.packets else None
    return (first.base or first.head) if first is not None else place.head


def _session_head(place: Place, sessions: Callable[[], Sequence[FoundSession]]) -> str | None:
    """HEAD when the newest session here began, where no branch is the base: what it committed since is its own work.

    A policy that somebody committed after that session ended is none of its doing, and counts.
    """
    from passdown.checks.policy_places import FILE, PROJECT
    from passdown.rules.instants import seconds
    from passdown.workspace import history
    from passdown.workspace.diff import read_path

    if place.head is None or history.base(place, None)[0] is not None:
        return None
    newest = next(iter(sessions()), None)
    start = history.head_at(place, newest.started) if newest is not None and newest.started else None
    if newest is None or start is None or start == place.head:
        return None
    same = all(read_path(place, start, name) == read_path(place, place.head, name) for name in (FILE, PROJECT))
    ended = max(seconds(newest.modified) or 0.0, _time(newest.path))
    later = _time(place.git_dir / "logs" / "HEAD") > ended + _AFTERWARDS
    return None if later and not same else start


def _time(path: Path) -> float:
    """When a file was last written, by a time that no commit can set; 0 where it is not there."""
    try:
        return path.stat().st_ctime
    except OSError:
        return 0.0


_AFTERWARDS = 5.0
"""Seconds: a commit as the last deed of a session has its record a moment later, or none where it was killed."""
