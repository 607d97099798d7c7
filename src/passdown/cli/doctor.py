"""``passdown doctor``: which guard layers refuse, which only tell, which are dead; by a probe, with the fix."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.cli.context import Context
from passdown.cli.in_force_here import here_in_force
from passdown.cli.output import plain, print_json, say
from passdown.cli.paint import line_width
from passdown.errors import EXIT_DOES_NOT_HOLD
from passdown.packet.text import folded

if TYPE_CHECKING:
    from passdown.guard.layers import Layer

_WIDTH = 18
_BESIDE = " " * (_WIDTH + 12)
_AUTHORITY = "The authority is `passdown verify`: it judges the whole difference, whatever the layers saw."


@click.command(epilog="Example:  passdown doctor --fix")
@click.option("--fix", is_flag=True, help="Put the guard's own files right again, where they are in use.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def doctor(fix: bool, as_json: bool) -> int:
    """Try each layer of the guard with a canary in a scratch repository. Exit 1: one is dead.

    enforcing: it refuses before anything lands. advisory: it tells. dead: it is installed and does nothing.
    off: it is not installed.
    """
    from passdown.agents.claude.state import STATE
    from passdown.cli.sandbox_probe import sandbox_layer
    from passdown.guard.layers import layers

    context = Context()
    if fix:
        _fix(context)
    home = Path(STATE.at(os.environ, str(Path.home())))
    found = [*layers(context.place, context.policy.guard_mode, home), sandbox_layer()]
    if as_json:
        print_json({"layers": found})
    else:
        for layer in found:
            _show(layer)
        for text in (_armed(context), _AUTHORITY):
            say("\n".join(folded("", text, line_width(), indent="")))
    return EXIT_DOES_NOT_HOLD if any(layer.state == "dead" for layer in found) else 0


def _show(layer: Layer) -> None:
    """State, layer, what was tried; below it how to mend it, or what it cannot see.

    A long command stands on a line of its own, whole: it is to be copied.
    """
    fix, _, command = layer.fix.partition("\n")
    rows = [(f"{layer.state:<10} {layer.layer:<{_WIDTH}} ", layer.probe)]
    if layer.fix:
        rows.append((_BESIDE, f"fix: {fix}"))
    elif layer.holes and layer.state != "off":
        rows.append((_BESIDE, f"cannot see: {layer.holes}"))
    for label, text in rows:
        say("\n".join(folded(label, plain(text), line_width(), indent=_BESIDE + "  ")))
    if command:
        say(plain(command))


def _armed(context: Context) -> str:
    task, place = context.task, context.place
    if here_in_force(context, task) is None:
        return "No boundary is armed here now, so there is nothing to refuse: passdown resume arms one."
    until = task.off_until(place.worktree_id) if task is not None else None
    off = until is not None and until > context.now
    return f"A person switched the guard off until {until}: passdown on" if off else "A boundary is armed here."


def _fix(context: Context) -> None:
    from passdown.cli.agent_process import refuse_agent
    from passdown.guard import arm, git_hooks, hook_files

    refuse_agent("doctor --fix")
    place = context.place
    if not hook_files.folder(place.home).is_dir():
        return
    hook_files.wrapper(place.home).unlink(missing_ok=True)
    hook_files.install(place.home)
    if any(hook.ours for hook in git_hooks.look(place)):
        git_hooks.install(place)
    arm.refresh(place, context.tasks, context.policy, context.now)
