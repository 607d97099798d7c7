"""``passdown off`` and ``passdown on``: a person's gap in the guard, recorded."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.in_force_here import here_in_force
from passdown.cli.output import print_json, say
from passdown.errors import PassdownError
from passdown.guard import hook_files
from passdown.model.event import GuardSwitched

if TYPE_CHECKING:
    from passdown.rules.task import TaskView

_UNITS = {"m": 60, "h": 3600, "d": 86400}
_MOST = 7 * 86400


@click.command(epilog='Example:  passdown off --for 30m --because "the release notes need a hand"')
@click.option("--for", "length", metavar="TIME", default="1h", help="How long: 30m, 2h, 1d; at most 7d.  [1h]")
@click.option("--because", metavar="WHY", default="asked for", help="A word for the record.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("off")
def off(length: str, because: str, as_json: bool) -> None:
    """Leave a gap in this worktree's guard: hooks deny nothing until then.

    The boundary stays as it is, and `passdown verify` judges what happens in the gap like everything else.
    """
    context = Context()
    task = _bound(context)
    end = datetime.fromisoformat(context.now).astimezone(UTC) + timedelta(seconds=_seconds(length))
    until = end.isoformat(timespec="seconds").replace("+00:00", "Z")
    _record(context, task, until, because, as_json=as_json)
    if not as_json:
        say(f"OFF    the guard of this worktree denies nothing until {end.astimezone():%H:%M on %d %b}.")
        say("On     passdown on        verify still judges what happens until then")


@click.command(epilog="Example:  passdown on")
@click.option("--because", metavar="WHY", default="asked for", help="A word for the record.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("on")
def on(because: str, as_json: bool) -> None:
    """Close the gap that `passdown off` left."""
    context = Context()
    task = _bound(context)
    _record(context, task, None, because, as_json=as_json)
    if not as_json:
        say("ON     the guard binds this worktree again.")


def _bound(context: Context) -> TaskView:
    """The task whose boundary binds here; PassdownError where none does."""
    task = context.need_task()
    if here_in_force(context, task) is None:
        raise PassdownError("no boundary is armed here, so the guard denies nothing", "passdown resume arms one")
    return task


def _record(context: Context, task: TaskView, until: str | None, because: str, *, as_json: bool) -> None:
    body = GuardSwitched(
        task=task.id,
        worktree_id=context.place.worktree_id,
        until=until,
        because=context.redact(because),
        by=context.me,
    )
    statement = context.recorder.append(body, task=task.id, at=context.now)
    if as_json:
        there = hook_files.wrapper(context.place.home).is_file()
        print_json({"task": task.id, "statement": statement, "guard": body, "hooks": there})


def _seconds(said: str) -> int:
    found = re.fullmatch(r"(\d{1,4})([mhd])", said)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if seconds > _MOST:
        raise PassdownError(f"--for {said!r} is too long", "30m, 2h or 1d; at most 7d")
    if not seconds:
        raise PassdownError(f"--for {said!r} is no length of time", "30m, 2h or 1d; at most 7d")
    return seconds
