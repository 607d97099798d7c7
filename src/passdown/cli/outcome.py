"""``passdown outcome``: close a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from passdown.cli.agent_process import person_only
from passdown.cli.closing import acceptance, lacks, outside, passes
from passdown.cli.context import Context
from passdown.cli.judging import judge_here
from passdown.cli.output import plain, print_json, say
from passdown.cli.tests_seen import REVIEW, by_oneself, lines, to_see
from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.model.event import Closed, Ended
from passdown.packet.parsing import repaired
from passdown.rules.integrity.touch import acceptable

if TYPE_CHECKING:
    from passdown.model.packet import PacketCheck
    from passdown.rules.task import TaskView


@click.command(epilog="Example:  passdown outcome completed")
@click.argument("how", type=click.Choice(get_args(Ended)))
@click.option("--because", metavar="WHY", help="The reason; needed where the task did not go as planned.")
@click.option("--anyway", is_flag=True, help="Completed although a check is missing; needs --because.")
@click.option("--accept-tests", is_flag=True, help="Accept what was done to tests and settings, as shown. Alone only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("outcome")
def outcome(how: Ended, because: str | None, anyway: bool, accept_tests: bool, as_json: bool) -> int:
    """Say how the task here ended: completed, rolled-back, abandoned or replanned.

    Completed needs every acceptance check passing on exactly this code; exit 1 where one does not. Tests
    that the task wrote, changed or weakened need a reviewer who accepts them. The boundary ends with it.
    """
    context = Context()
    task = context.need_task()
    checks = acceptance(context, task) if how == "completed" else {}
    missing = [f"{name}: {lacks(check)}" for name, check in checks.items() if lacks(check)]
    waiting, fault = to_see(context, task) if checks else ([], "")
    missing += [f"tests were not compared with where the task began: {fault}"] if fault else []
    seen = by_oneself(context, waiting) if accept_tests and waiting else []
    missing += lines(waiting) if not seen else []
    missing += outside(judge_here(context)) if how == "completed" else []
    if missing and not (anyway and because):
        if anyway:
            raise PassdownError("--anyway needs its reason", 'passdown outcome completed --anyway --because "..."')
        return _refuse(missing, tests=bool(waiting) and not seen, as_json=as_json)
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
        accepted={name: by for name, check in checks.items() if (by := _accepted(check, context.me if seen else None))},
        tests_accepted=seen,
    )
    statement = context.recorder.append(body, task=task.id, at=context.now, subjects={"tree": context.snapshot.tree})
    if as_json:
        print_json({"task": task.id, "statement": statement, "outcome": body, "missing": missing})
        return 0
    say(f"{how.upper()}   {plain(task.title)}")
    if how == "completed" and not checks:
        say("  not measured: the task has no acceptance check")
    _stands(context, task, checks)
    say("The boundary is no longer armed. The record: passdown log " + task.id[:7])
    return 0


def _stands(context: Context, task: TaskView, checks: dict[str, PacketCheck | None]) -> None:
    """Each check as it counted, and what is left open."""
    for name, check in checks.items():
        say(f"  {plain(name)}: {lacks(check) or passes(check)}")
    left = [item.id for item in task.items if not repaired(item, context.view)]
    if left:
        say(f"  left open: {' '.join(left)}   (their words: passdown show)")


def _accepted(check: PacketCheck | None, now: str | None) -> str | None:
    """Who accepted the changed tests that the check's pass stands on; ``now``: who does while closing."""
    if check is None:
        return None
    return check.accepted or (now if acceptable(check) else None)


def _class(check: PacketCheck | None) -> str:
    return (check.class_ if check is not None else None) or "not measured"


def _refuse(missing: list[str], *, tests: bool, as_json: bool) -> int:
    if as_json:
        print_json({"outcome": None, "missing": missing})
        return EXIT_DOES_NOT_HOLD
    say("Not completed: something is missing, or outside the boundary, on exactly this code.")
    for line in missing:
        say(f"  {plain(line)}")
    if tests:
        say(f"Accept the tests:  {REVIEW}   (alone: passdown outcome completed --accept-tests)")
    say("See    passdown check, passdown verify")
    say('Else   passdown outcome completed --anyway --because "..."')
    return EXIT_DOES_NOT_HOLD
