"""Claude Code's hooks: what calls the guard, for one run or in a settings file (source: its documentation, 2.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

MATCHER = "^(Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$"
SIDE_EFFECTS = "^(Bash|PowerShell|mcp__.*)$"
_SECONDS = 10
_LOOK_SECONDS = 60


def entries(guard: Sequence[str]) -> dict[str, Any]:
    """Hook entries by event, which run ``guard`` (program and arguments) with the agent's name behind.

    ``args`` runs without a shell; ``onFailure`` denies where the guard does not answer.
    """
    before = {**_command(*guard, "claude"), "timeout": _SECONDS, "onFailure": "block"}
    after = {**_command(*guard, "claude", "after"), "timeout": _LOOK_SECONDS}
    look = [{"matcher": SIDE_EFFECTS, "hooks": [after]}]
    return {
        "PreToolUse": [{"matcher": MATCHER, "hooks": [before]}],
        "PostToolUse": look,
        "PostToolUseFailure": look,
    }


def _command(program: str, *arguments: str) -> dict[str, Any]:
    return {"type": "command", "command": program, "args": list(arguments)}


def one_run(guard: Sequence[str]) -> list[str]:
    """Options that guard one run and leave nothing behind."""
    return ["--settings", json.dumps({"hooks": entries(guard)})]
