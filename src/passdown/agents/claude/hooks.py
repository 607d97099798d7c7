"""Claude Code's hooks: what calls the guard, for one run or in a settings file (source: its documentation, 2.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

MATCHER = "^(Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$"
SIDE_EFFECTS = "^(Bash|PowerShell|mcp__.*)$"
_SECONDS = 10
_LOOK_SECONDS = 60
SESSION = {
    "SessionStart": 30,
    "Stop": 30,
    "SubagentStart": 10,
    "SubagentStop": 10,
    "PreCompact": 20,
    "SessionEnd": 5,  # without a number the client gives all of these 1.5 s together
}
"""The other events, and how many seconds each may take."""


def entries(guard: Sequence[str]) -> dict[str, Any]:
    """Hook entries by event, which run ``guard`` (program and arguments) with the agent's name behind.

    ``args`` runs without a shell; ``onFailure`` denies where the guard does not answer.
    """
    before = {**_command(*guard, "claude"), "timeout": _SECONDS, "onFailure": "block"}
    after = {**_command(*guard, "claude", "after"), "timeout": _LOOK_SECONDS}
    look = [{"matcher": SIDE_EFFECTS, "hooks": [after]}]
    session = _command(*guard, "claude", "session")
    return {
        "PreToolUse": [{"matcher": MATCHER, "hooks": [before]}],
        "PostToolUse": look,
        "PostToolUseFailure": look,
        **{event: [{"hooks": [{**session, "timeout": seconds}]}] for event, seconds in SESSION.items()},
    }


def _command(program: str, *arguments: str) -> dict[str, Any]:
    return {"type": "command", "command": program, "args": list(arguments)}


def one_run(guard: Sequence[str]) -> list[str]:
    """Options that guard one run and leave nothing behind."""
    return ["--settings", json.dumps({"hooks": entries(guard)})]
