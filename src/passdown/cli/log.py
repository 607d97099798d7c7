"""``passdown log``: the audit trail of a task as one story."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.output import day, plain, print_json, say
from passdown.cli.paint import line_width
from passdown.cli.story import Told, tell, with_bypasses
from passdown.errors import PassdownError
from passdown.model.evidence import Evidence
from passdown.packet.text import clock, folded

if TYPE_CHECKING:
    from passdown.model.event import Record

_LINES = 4


@click.command(epilog="Example:  passdown log --check tests")
@click.argument("task", required=False)
@click.option("--check", "check", metavar="NAME", help="Only the runs of one check.")
@click.option(
    "--verify", "verify", is_flag=True, help="Check every digest, signature and link. Exit 1: one does not hold."
)
@click.option("--html", "as_html", is_flag=True, help="One HTML file: nothing is loaded, nothing runs.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document: the events.")
def log(task: str | None, check: str | None, *, verify: bool, as_html: bool, as_json: bool) -> int:
    """Tell what happened to a task, in order: packets, answers, runs, checks, outcome.

    TASK is the beginning of a task's or packet's id; without it the task here, else the newest.
    """
    context = Context()
    if verify:
        from passdown.cli.log_verify import verify_record

        return verify_record(context, as_json=as_json)
    records = _records(context, task)
    if check is not None:
        records = [r for r in records if isinstance(r.body, Evidence) and r.body.check == check]
    told = [tell(record) for record in records]
    if check is None:
        told = with_bypasses(told, context.recorder.facts(kind="bypass"))
    if as_json:
        print_json([event.as_json() for event in told])
        return 0
    if as_html:
        say(_file(context, records, told))
        return 0
    if not told and check is not None:
        say(f"No run of a check {plain(repr(check))} is recorded here. Those known: passdown check --list")
    elif not told:
        say("Nothing is recorded here yet. It begins with: passdown pack")
    today = ""
    for event in told:
        if day(event.at) != today:
            today = day(event.at)
            say(today)
        for line in _lines(event):
            say(line)
    return 0


def _file(context: Context, records: list[Record], told: list[Told]) -> str:
    from passdown.cli.web_desk import happened
    from passdown.web.documents import story_file

    task = context.tasks.get(records[0].task or "") if records else None
    return story_file(task.title if task is not None else "Nothing yet", happened(told, context.now)).rstrip("\n")


def _records(context: Context, name: str | None) -> list[Record]:
    """The records of one task; a name may be the beginning of the task's id or of any of its statements'."""
    records = context.recorder.records()
    if name is not None:
        ids = [task for task in context.tasks if task.startswith(name)]
        if len(ids) > 1:
            raise PassdownError(f"{name} is the beginning of {len(ids)} tasks", "type more of it")
        wanted = ids[0] if ids else context.recorder.record(name).task
    else:
        here = context.task
        wanted = here.id if here is not None else next((r.task for r in reversed(records) if r.task), None)
    opened = [r for r in records if r.task == wanted]
    return opened or [r for r in records if r.task is None and name is None]


def _lines(event: Told) -> list[str]:
    """The event on as few lines as hold it, a pipe gets one; what cannot be trusted says so first."""
    mark = "" if event.trusted else "NOT TRUSTED, its digest or signature does not verify: "
    start = f"  {clock(event.at)}  {event.id[:7]}  {plain(event.what):<13}"
    return folded(start, mark + plain(event.text), line_width(), lines=_LINES, indent=" " * len(start))
