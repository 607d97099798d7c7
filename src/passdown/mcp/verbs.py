"""One verb of the command line in a process of its own, as the agent, answered as one JSON document."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

_RUN = "import sys; from passdown.cli.main import main; sys.exit(main())"
AGENT = "AI_AGENT"
"""Says that an agent asks, where its client's own environment does not reach this server."""


async def document(verb: str, *words: str) -> Any:
    """What ``passdown VERB ... --json`` says; ToolError in one line where it fails."""
    at = words.index("--") if "--" in words else len(words)
    answer = await _run(verb, *words[:at], "--json", *words[at:])
    try:
        found = json.loads(answer)
    except ValueError:
        raise ToolError(f"passdown {verb} gave no answer") from None
    error = found.get("error") if isinstance(found, dict) else None
    if isinstance(error, dict):
        raise ToolError(" ".join(f"{error['message']}; {error['hint']}".rstrip("; ").split()))
    return found


async def text(verb: str, *words: str) -> str:
    """What a verb prints for a reader."""
    return (await _run(verb, *words)).decode("utf-8", "replace").rstrip("\n")


async def _run(verb: str, *words: str) -> bytes:
    env = {**os.environ, AGENT: os.environ.get(AGENT) or "mcp", "COLUMNS": "120"}
    argv = [sys.executable, "-I", "-X", "utf8", "-c", _RUN, verb, *words]
    done = await anyio.run_process(argv, env=env, check=False)
    return done.stdout


def option(name: str, *values: str | None) -> Iterator[str]:
    """``--name=value`` for each value that is given: a value cannot become an option of its own."""
    yield from (f"--{name}={value}" for value in values if value)
