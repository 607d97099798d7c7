"""The work of ``passdown check``: which checks are meant, running them, and what is said then."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.cli.agent_process import refuse_agent, running_agent
from passdown.cli.check_runs import How, report, run_all
from passdown.cli.closing import LINE, closable
from passdown.cli.output import aside, at_terminal, entered, plain, print_json, say
from passdown.cli.paint import screen_width
from passdown.cli.tests_seen import on_checks
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.packet.text import folded
from passdown.rules import command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.checks.known import Known
    from passdown.cli.context import Context


class Wish(Struct, frozen=True):
    """What was asked for: see ``passdown check --help``. ``command``: what stood behind `--`."""

    command: list[str] | None
    names: tuple[str, ...]
    confirm: tuple[str, ...]
    listing: bool
    repeat: int
    isolated: bool
    base: bool
    as_json: bool


def run(context: Context, wish: Wish) -> int:
    """List the checks, or run those that are meant; the exit code."""
    if wish.command is not None:
        from passdown.checks.run import adhoc

        here = Path.cwd().resolve().relative_to(context.place.root).as_posix()
        how = How(wish.repeat, wish.isolated, base=False, cwd=here)
        return report([run_all(context, None, adhoc(wish.command), how)], as_json=wish.as_json)
    if wish.listing:
        return _list(context, as_json=wish.as_json)
    if wish.confirm:
        refuse_agent(f"check --confirm {wish.confirm[0]}")
        wanted = [_confirm(context, name) for name in wish.confirm]
        wanted += [_named(context.known_checks(), name) for name in wish.names if name not in wish.confirm]
    else:
        wanted = _wanted(context, wish.names, ask=at_terminal() and not wish.as_json)
    how = How(wish.repeat, wish.isolated, base=wish.base)
    ran = [run_all(context, one, one.definition, how, _of(n, wanted)) for n, one in enumerate(wanted)]
    code = report(ran, as_json=wish.as_json)
    if ran and not wish.as_json:
        for line in on_checks(context, [one.definition.name for one in wanted]):
            for part in folded(f"{'':<12}", plain(line), screen_width(), indent=" " * 15):
                say(part)
    if ran and code == 0 and not wish.as_json and closable(context):
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
        say(f"Candidate: {plain(first.name)} = {plain(command.text(first.run))}{found}")
        if entered("Enter confirms and runs it, q leaves"):
            return [_confirm(context, first.name)]
        return []
    names_ = ", ".join(f"{one.definition.name} ({command.text(one.definition.run)})" for one in candidates[:5])
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
    aside(f"confirmed: {plain(name)} = {plain(command.text(statement.definition.run))}")
    return _named(context.known_checks(), name)


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
        say(f"{name:<16}{plain(command.text(one.definition.run))}   {plain(one.because)}")
        standing = now.get(one.definition.name)
        if standing is not None:
            say(f"{'':<16}{standing_words(standing)}")
    if not known:
        say("No check is known here.")
    return 0
