"""Starting the next run's client inside the sandbox, with its guard; its own sandbox is off, ours is around it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from passdown.cli import confine
from passdown.cli.confined import Wishes
from passdown.cli.context import Context
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.sandbox import bubblewrap, landlock

if TYPE_CHECKING:
    from passdown.cli.agent_client import Client


TOLD = (
    "This run is confined: a write outside fails as read-only, /tmp and caches are private and empty, this machine's"
    " sockets and keys are hidden."
)


def need_sandbox() -> None:
    """PassdownError with the remedy where this machine cannot confine: before anything is armed."""
    support = bubblewrap.support()
    if support.fault:
        raise PassdownError(f"cannot confine: {support.fault}", support.remedy.replace("\n", " "), EXIT_UNDECIDED)
    if not landlock.support():
        raise PassdownError("cannot confine: this kernel has no Landlock", "resume without --sandbox", EXIT_UNDECIDED)


def start_confined(client: Client, guarded: Sequence[str], prompt: str) -> int:
    """Run the client to its end in the worktree's root; its exit code."""
    context = Context()
    alone = OWN_SANDBOX_OFF[client.agent](guarded)
    command = [client.program, *client.options, *alone, f"{prompt.rstrip()}\n{TOLD}\n"]
    confined = confine.prepared(context, command, Wishes())
    confine.refuse_missing(confined)
    confine.tell(context, confined)
    return confine.start(context, confined, os.fspath(context.place.root))


def _claude(guarded: Sequence[str]) -> list[str]:
    """A sandbox in the sandbox cannot mount: Claude Code's own for its shell is off in this run's settings."""
    option, settings = guarded
    return [option, json.dumps({**json.loads(settings), "sandbox": {"enabled": False}})]


def _codex(guarded: Sequence[str]) -> list[str]:
    """The same of Codex's; what it asks before a command stays as it is."""
    return [*guarded, "-c", 'sandbox_mode="danger-full-access"']


OWN_SANDBOX_OFF: dict[str, Callable[[Sequence[str]], list[str]]] = {"claude": _claude, "codex": _codex}
