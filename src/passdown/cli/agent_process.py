"""Whether a coding agent runs this command, told by its client's environment and never by ancestors.

It stops mistakes, not a hostile process: who wants to can unset a variable.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

from passdown.errors import PassdownError

P = ParamSpec("P")
T = TypeVar("T")

CLIENTS: dict[str, tuple[str, ...]] = {
    # Set for every command of the shell tool; the hooks see the session id too (client 2.1, observed).
    "Claude Code": ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
    # codex-rs: spawn sets the sandbox pair, the shell tools the thread id and CODEX_CI.
    "Codex": ("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"),
    # gemini-cli: its shell tool's documentation names it.
    "Gemini CLI": ("GEMINI_CLI",),
    # Copilot CLI: set for its tools and hooks; COPILOT_MODEL and tokens are a person's settings and say nothing.
    "Copilot": ("COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"),
    # opencode: set by its own process for its children.
    "OpenCode": ("OPENCODE", "OPENCODE_SESSION_ID"),
    # cursor-agent and the IDE's agent; CURSOR_TRACE_ID is in a person's terminal as well.
    "Cursor": ("CURSOR_AGENT",),
    # Set by the parent of a sandbox for what was asked from inside.
    "an agent in the sandbox": ("PASSDOWN_ASKED_FROM_INSIDE",),
    # The name that several clients agreed on.
    "an agent": ("AI_AGENT",),
}


def running_agent(environ: Mapping[str, str]) -> str | None:
    """The client whose process this is, None where none shows."""
    for client, names in CLIENTS.items():
        if any(environ.get(name) for name in names):
            return client
    return None


def person_only(verb: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator: the command is a person's; inside an agent's process it says why not, and who does it."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            refuse_agent(verb)
            return function(*args, **kwargs)

        return guarded

    return decorate


def refuse_agent(verb: str) -> None:
    """Raise where an agent runs this process; ``verb`` is what a person would type."""
    client = running_agent(os.environ)
    if client is not None:
        raise PassdownError(
            f"`passdown {verb}` is a person's decision, and {client} runs this process",
            f"a person types it in a terminal of their own: passdown {verb}",
        )
