"""``passdown outcome``: close a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.cli.strays import told
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.model.event import Closed, Ended

if TYPE_CHECKING:
    from passdown.model.packet import PacketCheck
    from passdown.rules.task import TaskView


@click.command(epilog="Example:  passdown outcome completed")
@click.argument("how", type=click.Choice(get_args(Ended)))
@click.option("--because", metavar="WHY", help="The reason; needed where the task did not go as planned.")
@click.option("--anyway", is_flag=True, help="Completed although a check is missing; needs --because.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("outcome")
def outcome(how: Ended, because: str | None, anyway: bool, as_json: bool) -> int:
    """Say how the task here ended: completed, rolled-back, abandoned or replanned.

    Completed needs every acceptance check passing on exactly this code; exit 1 where one does not. The
    boundary ends with it.
    """
    context = Context()
    task = context.need_task()
    checks = _acceptance(context, task) if how == "completed" else {}
    missing = [f"{name}: {_lacks(check)}" for name, check in checks.items() if _lacks(check)]
    missing += _outside(context) if how == "completed" else []
    if missing and not (anyway and because):
        if anyway:
            raise PassdownError("--anyway needs its reason", 'passdown outcome completed --anyway --because "..."')
        return _refuse(missing, as_json=as_json)
    body = Closed(
        task=task.id,
        outcome=how,
        because=context.redact(
            because or ("every acceptance check passes on this code" if checks else "said by a person")
        ),
        by=context.me,
        packet=task.latest.id if task.latest else None,
        tree=context.snapshot.tree,
        acceptance={name: _class(check) for name, check in checks.items()},
    )
    statement = context.recorder.append(body, task=task.id, at=context.now, subjects={"tree": context.snapshot.tree})
    if as_json:
        print_json({"task": task.id, "statement": statement, "outcome": body, "missing": missing})
        return 0
    say(f"{how.upper()}   {plain(task.title)}")
    for name, check in checks.items():
        say(f"  {plain(name)}: {_lacks(check) or 'passes on this code'}")
    if how == "completed" and not checks:
        say("  not measured: the task has no acceptance check")
    say("The boundary is no longer armed. The record: passdown log " + task.id[:7])
    return 0


def _acceptance(context: Context, task: TaskView) -> dict[str, PacketCheck | None]:
    """Each acceptance check as it stands on the worktree now; None: never seen here."""
    from passdown.cli.rerun import standing_now

    found = standing_now(context)
    names = dict.fromkeys([*task.done, *(check.name for check in found if check.acceptance)])
    by_name = {check.name: check for check in found}
    return {name: by_name.get(name) for name in names}


def _outside(context: Context) -> list[str]:
    """What `verify` finds outside a boundary that a person decided."""
    from passdown.cli.verify import judge_here

    answer = judge_here(context)
    if answer is None:
        return []
    found = [f"{v.path} was {v.op} outside the boundary ({v.rule})" for v in answer.violations]
    return [*found, *(f"outside, judged by nobody: {told(stray)}" for stray in answer.strays)]


def _class(check: PacketCheck | None) -> str:
    return (check.class_ if check is not None else None) or "not measured"


def _lacks(check: PacketCheck | None) -> str:
    """What keeps a check from counting, "" where nothing does."""
    if check is None or check.result is None:
        return "never ran here"
    if check.class_ == "VERIFIED":
        return ""
    if check.result != "PASSED":
        return f"{check.result}, exit {check.exit}"
    return "; ".join(check.freshness.because or check.warnings) or "passed, but not on exactly this code"


def _refuse(missing: list[str], *, as_json: bool) -> int:
    if as_json:
        print_json({"outcome": None, "missing": missing})
        return EXIT_DOES_NOT_HOLD
    say("Not completed: something is missing, or outside the boundary, on exactly this code.")
    for line in missing:
        say(f"  {plain(line)}")
    say('See  passdown check, passdown verify      or say why not: passdown outcome completed --anyway --because "..."')
    return EXIT_DOES_NOT_HOLD
