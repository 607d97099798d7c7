"""``passdown boundary``: show it, set it by hand, explain a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import person_only
from passdown.cli.boundary_screen import rows, source
from passdown.cli.context import Context
from passdown.cli.in_force_here import here_in_force
from passdown.cli.output import plain, print_json, say
from passdown.cli.spot import spot_of
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED, PassdownError
from passdown.model.boundary import Boundary
from passdown.model.event import BoundarySet
from passdown.review import narrow
from passdown.rules.narrow import widening

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from passdown.rules.task import TaskView

_json = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
_because = click.option("--because", metavar="WHY", default="set by hand", help="The reason of each entry.")


@click.group(invoke_without_command=True, epilog='Example:  passdown boundary deny "migrations/**"')
@_json
@click.pass_context
def boundary(ctx: click.Context, as_json: bool) -> None:
    """Show what the next run may write, set it by hand, explain a path.

    Until a reviewer's verdict a person may set anything; after it only narrower. Wider is a verdict:
    passdown review. Without a word: show.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"--json comes after {ctx.invoked_subcommand!r}", ctx)


@boundary.command("show", epilog="Example:  passdown boundary show --json")
@_json
def show(as_json: bool) -> None:
    """Show the boundary of the task here."""
    context = Context()
    task = context.need_task()
    current, armed = _current(context, task)
    if as_json:
        print_json({"task": task.id, "armed": armed, "boundary": current})
        return
    say(f"{task.title}   {source(current)}, version {current.version}, {'armed here' if armed else 'not armed'}")
    for row in rows(current):
        say(plain(row))


@boundary.command("explain", epilog="Example:  passdown boundary explain src/auth/token.py")
@click.argument("path")
@_json
def explain(path: str, as_json: bool) -> int:
    """Say whether PATH may be written, and which rule decides. Exit 1: outside."""
    from passdown.rules.explain import explain as decide

    context = Context()
    current, _ = _current(context, context.need_task())
    inside = narrow.repository_path(context.place.root, path)
    decision = decide(current, inside, exists=(context.place.root / inside).exists())
    if as_json:
        print_json({"path": inside, "inside": decision.inside, "rule": decision.rule, "because": decision.because})
    else:
        verdict = "inside" if decision.inside else "outside"
        rule = "" if decision.rule == verdict else f"{decision.rule}: "
        say(f"{verdict}   {plain(inside)}   {rule}{plain(decision.because)}")
    return 0 if decision.inside else EXIT_DOES_NOT_HOLD


@boundary.command("set", epilog='Example:  passdown boundary set "src/**" "tests/**"')
@click.argument("patterns", nargs=-1, required=True)
@_because
@_json
@person_only("boundary set PATTERN")
def set_(patterns: tuple[str, ...], because: str, as_json: bool) -> None:
    """Allow exactly PATTERNS from now on; what is denied stays denied."""
    _change(lambda old, because: narrow.allow_only(old, patterns, because), patterns, because, as_json=as_json)


@boundary.command("allow", epilog='Example:  passdown boundary allow docs/guide.md --because "the API changed"')
@click.argument("patterns", nargs=-1, required=True)
@_because
@_json
@person_only("boundary allow PATTERN")
def allow(patterns: tuple[str, ...], because: str, as_json: bool) -> None:
    """Allow PATTERNS as well."""
    _change(lambda old, because: narrow.add(old, allow=patterns, because=because), patterns, because, as_json=as_json)


@boundary.command("deny", epilog='Example:  passdown boundary deny "migrations/**"')
@click.argument("patterns", nargs=-1, required=True)
@_because
@_json
@person_only("boundary deny PATTERN")
def deny(patterns: tuple[str, ...], because: str, as_json: bool) -> None:
    """Deny PATTERNS; deny wins over allow."""
    _change(lambda old, because: narrow.add(old, deny=patterns, because=because), patterns, because, as_json=as_json)


def _current(context: Context, task: TaskView) -> tuple[Boundary, bool]:
    """The boundary that binds this spot, else the one that `resume` would arm; whether it is armed."""
    force = here_in_force(context, task)
    if force is not None:
        return force.boundary, True
    coming = task.next_boundary()
    if coming is None:
        raise PassdownError("this task has no boundary yet", "`passdown pack` proposes one after a run", EXIT_UNDECIDED)
    return coming, False


def _change(
    change: Callable[[Boundary, str], Boundary], patterns: Sequence[str], because: str, *, as_json: bool
) -> None:
    context = Context()
    task = context.need_task()
    old, _ = _current(context, task)
    for pattern in patterns:
        context.pattern(pattern)
    new = narrow.next_version(change(old, context.redact(because)), source="hand")
    wider = widening(new, old)
    if wider and task.verdicts:
        raise PassdownError(
            f"{plain(wider)}: after the verdict of {task.verdicts[-1].body.by} a hand only narrows",
            "widening is a verdict: passdown review --narrow +PATH",
        )
    worktree, branch = spot_of(context.place, context.tasks)
    body = BoundarySet(task=task.id, boundary=new, previous=old.digest, worktree_id=worktree, branch=branch)
    statement = context.recorder.append(body, task=task.id, at=context.now)
    if as_json:
        print_json({"task": task.id, "statement": statement, "boundary": new})
        return
    say(f"{task.title}   set by hand, version {new.version}")
    for row in rows(new):
        say(plain(row))
