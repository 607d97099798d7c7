"""``passdown check``: run checks and record evidence."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.cli.check_runs import How, report, run_all
from passdown.cli.closing import LINE, closable
from passdown.cli.context import Context
from passdown.cli.output import aside, at_terminal, plain, print_json, say
from passdown.cli.paint import screen_width
from passdown.cli.tests_seen import on_checks
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.packet.text import folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.checks.known import Known
    from passdown.model.evidence import CheckDefinition


class CheckCommand(click.Command):
    """Everything after ``--`` is a command, not the name of a check."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the command aside before click sees it."""
        if "--" in args:
            at = args.index("--")
            ctx.obj = args[at + 1 :]
            if not ctx.obj:
                raise click.UsageError("no command after `--`", ctx)
            args = args[:at]
        else:
            ctx.obj = None
        return super().parse_args(ctx, args)


@click.command(cls=CheckCommand, epilog="Example:  passdown check tests")
@click.argument("names", metavar="[NAME]... [-- CMD]", nargs=-1)
@click.option(
    "--confirm", metavar="NAME", multiple=True, help="Stand behind a check as it is now, and run it. A person's."
)
@click.option(
    "--list", "listing", is_flag=True, help="List the known checks and how each stands on this code; run nothing."
)
@click.option("--repeat", metavar="N", type=click.IntRange(1, 1000), default=1, help="Run each N times: is it flaky?")
@click.option("--isolated", is_flag=True, help="Run on a frozen copy: edits meanwhile do not reach it.")
@click.option("--no-base", is_flag=True, help="Do not ask whether what fails failed before this work.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document; live output goes to standard error.")
@click.pass_context
def check(  # noqa: PLR0913 -- one parameter an option
    ctx: click.Context,
    *,
    names: tuple[str, ...],
    confirm: tuple[str, ...],
    listing: bool,
    repeat: int,
    isolated: bool,
    no_base: bool,
    as_json: bool,
) -> int:
    """Run checks and record what came out: the declared ones, those named, or any command.

    What a repository only seems to have is a candidate until a person confirms it. A command after
    `--` is recorded as seen, and never counts as a passed check. What fails is run once more on the commit
    that the work began from, in a copy: a regression, or there before. Exit 0: all passed. 1: one failed.
    3: one did not end as passed, or nothing could be run.
    """
    context = Context(reads=listing, strict=True)
    if ctx.obj is not None:
        from passdown.checks.run import adhoc

        here = Path.cwd().resolve().relative_to(context.place.root).as_posix()
        how = How(repeat, isolated, base=False, cwd=here)
        return report([run_all(context, None, adhoc(ctx.obj), how)], as_json=as_json)
    if listing:
        return _list(context, as_json=as_json)
    if confirm:
        refuse_agent(f"check --confirm {confirm[0]}")
        wanted = [_confirm(context, name) for name in confirm]
        wanted += [_named(context.known_checks(), name) for name in names if name not in confirm]
    else:
        wanted = _wanted(context, names, ask=at_terminal() and not as_json)
    how = How(repeat, isolated, base=not no_base)
    ran = [run_all(context, one, one.definition, how, _of(n, wanted)) for n, one in enumerate(wanted)]
    code = report(ran, as_json=as_json)
    if ran and not as_json:
        for line in on_checks(context, [one.definition.name for one in wanted]):
            for part in folded(f"{'':<12}", plain(line), screen_width(), indent=" " * 15):
                say(part)
    if ran and code == 0 and not as_json and closable(context):
        say(f"{'Next':<13}{LINE}")
    return code


def _of(number: int, wanted: Sequence[Known]) -> str:
    return f"{number + 1} of {len(wanted)}, " if len(wanted) > 1 else ""


def _wanted(context: Context, names: Sequence[str], *, ask: bool) -> list[Known]:
    declared = context.declared_checks()
    if declared and set(names) <= {one.definition.name for one in declared}:
        return [_named(declared, name) for name in dict.fromkeys(names)] or declared
    known = context.known_checks()
    if names:
        return [_named(known, name) for name in dict.fromkeys(names)]
    candidates = [one for one in known if not one.declared]
    if not candidates:
        raise PassdownError(
            "no check is known here",
            "declare one in passdown.toml, or run any command: passdown check -- CMD",
            EXIT_UNDECIDED,
        )
    first = candidates[0].definition
    if ask and running_agent(os.environ) is None:
        found = f" (found in {plain(first.found_in)})" if first.found_in else ""
        say(f"Candidate: {plain(first.name)} = {plain(command(first))}{found}")
        if click.prompt("Enter confirms and runs it, q leaves", default="", show_default=False).strip() == "":
            return [_confirm(context, first.name)]
        return []
    names_ = ", ".join(f"{one.definition.name} ({command(one.definition)})" for one in candidates[:5])
    raise PassdownError(
        f"nobody confirmed a check here yet; candidates: {plain(names_)}",
        f"a person confirms once: passdown check --confirm {plain(first.name)}",
        EXIT_UNDECIDED,
    )


def _named(known: Sequence[Known], name: str) -> Known:
    found = next((one for one in known if one.definition.name == name), None)
    if found is None:
        names = ", ".join(plain(one.definition.name) for one in known) or "none"
        raise PassdownError(f"no check named {name!r}", f"known here: {names}; any command: passdown check -- CMD")
    return found


def _confirm(context: Context, name: str) -> Known:
    """Record that a person stands behind this definition, unless it is accepted already; how it stands then."""
    from passdown.checks.confirm import confirm

    known = _named(context.known_checks(), name)
    if known.accepted and known.proposed is None:
        return known
    statement = confirm(context.view, known.to_confirm, context.me)
    task = context.task
    context.recorder.append(statement, task=task.id if task is not None else None, at=context.now)
    aside(f"confirmed: {plain(name)} = {plain(command(statement.definition))}")
    return _named(context.known_checks(), name)


def command(definition: CheckDefinition) -> str:
    """The command as one would type it."""
    import shlex

    return definition.run if isinstance(definition.run, str) else shlex.join(definition.run)


def _list(context: Context, *, as_json: bool) -> int:
    """Every known check and how it stands on the worktree as it is."""
    from passdown.cli.check_screen import standing_words
    from passdown.cli.rerun import standing_now

    known = context.known_checks()
    now = {check.name: check for check in standing_now(context)}
    if as_json:
        rows = [
            {
                "accepted": k.accepted,
                "because": k.because,
                "definition": k.definition,
                "standing": now.get(k.definition.name),
            }
            for k in known
        ]
        print_json(rows)
        return 0
    for one in known:
        name = plain(one.definition.name)
        say(f"{name:<16}{plain(command(one.definition))}   {plain(one.because)}")
        standing = now.get(one.definition.name)
        if standing is not None:
            say(f"{'':<16}{standing_words(standing)}")
    if not known:
        say("No check is known here.")
    return 0
