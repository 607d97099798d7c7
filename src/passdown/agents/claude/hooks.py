"""Claude Code's hooks: what calls the guard, for one run or in a settings file (source: its documentation, 2.1)."""

from __future__ import annotations

import json
from typing import Any

MATCHER = "^(Edit|Write|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*)$"
_SECONDS = 10


def entries(wrapper: str) -> dict[str, Any]:
    """Hook entries by event. ``args`` runs without a shell; ``onFailure`` denies where the guard does not answer."""
    hook = {
        "type": "command",
        "command": "/bin/sh",
        "args": [wrapper, "claude"],
        "timeout": _SECONDS,
        "onFailure": "block",
    }
    return {"PreToolUse": [{"matcher": MATCHER, "hooks": [hook]}]}


def one_run(wrapper: str) -> list[str]:
    """Options that guard one run and leave nothing behind."""
    return ["--settings", json.dumps({"hooks": entries(wrapper)})]
