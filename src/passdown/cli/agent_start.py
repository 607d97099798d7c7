"""Starting the next run: the agent's client with the brief, guarded for this run alone; nothing is installed."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from passdown.agents.claude import hooks as claude_hooks
from passdown.agents.codex import hooks as codex_hooks
from passdown.agents.codex.trust import hook_trust
from passdown.cli.agent_client import Client
from passdown.cli.output import plain, say
from passdown.cli.session_opening import HANDED
from passdown.errors import EXIT_BAD_INPUT, PassdownError
from passdown.guard import hook_files
from passdown.workspace.place import Place

AGENTS = {"claude": claude_hooks.one_run, "codex": codex_hooks.one_run}


def client_of(said: str, *, sandbox: bool = False) -> Client:
    """``claude``, ``codex``, a path to one of them, each with options behind it; PassdownError for anything else."""
    if sandbox:
        from passdown.cli.confined_start import need_sandbox

        need_sandbox()
    try:
        words = shlex.split(said)
    except ValueError as error:
        raise PassdownError(f"--with {said!r}: {error}", "--with claude, or --with 'claude --model opus'") from error
    agent = Path(words[0]).name if words else ""
    if agent not in AGENTS:
        raise PassdownError(
            f"--with {said!r}: no agent that can be guarded", "--with claude or --with codex", EXIT_BAD_INPUT
        )
    program = shutil.which(words[0])
    if program is None:
        raise PassdownError(f"{words[0]} is not on PATH", "install it, or name it: --with /path/to/" + agent)
    return Client(agent, program, words[1:], sandbox)


def guard(place: Place) -> None:
    """Have the guard's files in place: the boundary that is armed next then binds the agent's tools."""
    hook_files.install(place.home)


def state(place: Place, client: Client) -> str:
    """How far the guard reaches in this run, in one line."""
    if client.agent == "codex" and "--dangerously-bypass-hook-trust" not in client.options:
        wrapper = str(hook_files.wrapper(place.home))
        trust = hook_trust(client.program, AGENTS["codex"](hook_files.program(place.home)), place.root, wrapper)
        if trust not in ("trusted", "managed"):
            if client.sandbox:
                return "Confined, without a word why: Codex runs a hook only after you trusted it (in Codex: /hooks)."
            return (
                "Advisory: Codex runs a hook only after you trusted it. In Codex: /hooks, trust those of "
                "Passdown. Until then `passdown verify` finds what lands outside; nothing stops it before."
            )
    if client.sandbox:
        return f"Guarded and confined: {client.agent} is told why an edit is refused; the kernel refuses the rest."
    return f"Guarded: {client.agent}'s edits outside are refused before they land; what a shell writes is told after."


def start(place: Place, client: Client, brief: str, packet: str) -> int:
    """Become the client, in the worktree's root, with the brief of the packet as its first prompt; confined: run it."""
    guarded = AGENTS[client.agent](hook_files.program(place.home))
    argv = [client.program, *client.options, *guarded, brief]
    say(f"Starting {plain(client.agent)} in {plain(str(place.root))}")
    os.chdir(place.root)
    if client.sandbox:
        from passdown.cli.confined_start import start_confined

        os.environ[HANDED] = packet
        return start_confined(client, guarded, brief)
    return os.execve(client.program, argv, {**os.environ, HANDED: packet})  # noqa: S606 -- without a shell
