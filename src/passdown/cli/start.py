"""``passdown start``: open a task by hand."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from passdown.cli.agent_process import person_only
from passdown.cli.begun import begun
from passdown.cli.context import Context
from passdown.cli.output import cut, print_json, say
from passdown.errors import PassdownError
from passdown.model.boundary import Boundary
from passdown.model.event import TaskOpened
from passdown.model.packet import Goal
from passdown.packet.title import title_of
from passdown.review.narrow import add
from passdown.rules.match import whole_tree
from passdown.workspace import snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

_TITLE = 60


@click.command(epilog='Example:  passdown start "make test_retry pass" --allow "src/**"')
@click.argument("goal")
@click.option("--allow", metavar="PATTERN", multiple=True, help="What may be written (gitignore syntax). Repeatable.")
@click.option("--deny", metavar="PATTERN", multiple=True, help="What may not; deny wins. Repeatable.")
@click.option("--check", "checks", metavar="NAME", multiple=True, help="An acceptance check. Repeatable.")
@click.option("--from", "from_packet", metavar="PACKET", help="Keep that packet's decisions and dead ends, plan anew.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@person_only("start GOAL")
def start(
    goal: str,
    *,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    checks: tuple[str, ...],
    from_packet: str | None,
    as_json: bool,
) -> None:
    """Open a task: its goal, how it is known to be done, and what may be written.

    The boundary is armed at once for this worktree and branch. Optional: a first run needs no task.
    """
    if not goal.strip():
        raise PassdownError("the goal is empty", 'say what is wanted: passdown start "make test_retry pass"')
    context = Context(strict=True)
    opened = TaskOpened(
        task=os.urandom(8).hex(),
        title=title_of(context.redact(goal)) or cut(context.redact(goal), _TITLE),
        goal=Goal(text=context.redact(goal), source="user", at=context.now),
        done=_done(context, checks),
        boundary=_boundary(context, allow, deny),
        from_packet=context.named_packet(from_packet).packet if from_packet else None,
        resume_owner=context.resume_owner,
        **asdict(begun(context)),
    )
    snapshot.keep(context.place, opened.tree)
    statement = context.recorder.append(opened, task=opened.task, at=context.now, subjects={"tree": opened.tree})
    if as_json:
        print_json({"task": opened.task, "statement": statement, "boundary": opened.boundary, "done": opened.done})
    else:
        _show(opened)


def _done(context: Context, names: Sequence[str]) -> list[str]:
    """The acceptance checks: those named, else those that the policy declares as such."""
    if not names:
        return [check.name for check in context.policy.checks if check.acceptance]
    known = [check.definition.name for check in context.known_checks()]
    missing = [name for name in names if name not in known]
    if missing:
        raise PassdownError(
            f"no check named {missing[0]!r}", f"known here: {', '.join(known) or 'none'}; declare it in passdown.toml"
        )
    return list(dict.fromkeys(names))


def _boundary(context: Context, allow: Sequence[str], deny: Sequence[str]) -> Boundary:
    wanted = [(context.pattern(pattern), "set by hand") for pattern in allow] or [("**", "no --allow was given")]
    forbidden = [(context.pattern(pattern), "set by hand") for pattern in deny]
    forbidden += [(rule.path, context.redact(rule.because)) for rule in context.policy.deny if rule.path not in deny]
    boundary = Boundary(version=1, source="hand")
    for path, why in wanted:
        boundary = add(boundary, allow=[path], because=why)
    for path, why in forbidden:
        boundary = add(boundary, deny=[path], because=why)
    return boundary.sealed()


def _show(opened: TaskOpened) -> None:
    from passdown.cli.boundary_screen import rows

    say(f"TASK {opened.task[:7]}   {opened.title}")
    first, *rest = rows(opened.boundary)
    say(first)
    if whole_tree(opened.boundary.allow[0].path):
        say(f"{'':<16}narrower: passdown boundary set PATTERN")
    for row in rest:
        say(row)
    say(f"Done when       {', '.join(opened.done) or 'not said: passdown start ... --check NAME'}")
    say("Armed here; " + ADVISORY)
    say("Next            run the agent, then: passdown pack")


ADVISORY = "advisory: the agent is told, nothing stops it. `passdown verify` judges it."
