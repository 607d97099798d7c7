"""Claude Code's hooks: what calls the guard, for one run or in a settings file (source: its documentation, 2.1)."""

from __future__ import annotations

import json
from typing import Any

MATCHER = "^(Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$"
SIDE_EFFECTS = "^(Bash|PowerShell|mcp__.*)$"
_SECONDS = 10
_LOOK_SECONDS = 60


def entries(wrapper: str) -> dict[str, Any]:
    """Hook entries by event. ``args`` runs without a shell; ``onFailure`` denies where the guard does not answer."""
    before = {**_command(wrapper, "claude"), "timeout": _SECONDS, "onFailure": "block"}
    after = {**_command(wrapper, "claude", "after"), "timeout": _LOOK_SECONDS}
    look = [{"matcher": SIDE_EFFECTS, "hooks": [after]}]
    return {
        "PreToolUse": [{"matcher": MATCHER, "hooks": [before]}],
        "PostToolUse": look,
        "PostToolUseFailure": look,
    }


def _command(*arguments: str) -> dict[str, Any]:
    return {"type": "command", "command": "/bin/sh", "args": list(arguments)}


def one_run(wrapper: str) -> list[str]:
    """Options that guard one run and leave nothing behind."""
    return ["--settings", json.dumps({"hooks": entries(wrapper)})]
