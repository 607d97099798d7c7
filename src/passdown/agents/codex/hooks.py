"""Codex's hooks: what calls the guard, for one run or in a file of its own (source: its documentation, 0.171).

Codex runs a hook only after a person trusted exactly this entry (``/hooks``), and says nothing where it does not.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

MATCHER = "^(apply_patch|Edit|Write|Bash)$|^mcp__"
SIDE_EFFECTS = "^Bash$|^mcp__"
_SECONDS = 10
_LOOK_SECONDS = 60
SESSION = {
    "SessionStart": 30,
    "Stop": 30,
    "SubagentStart": 10,
    "SubagentStop": 10,
    "PreCompact": 20,
    "SessionEnd": 3,  # all that Codex grants
}
"""The other events, and how many seconds each may take."""


def entries(guard: Sequence[str]) -> dict[str, Any]:
    """Hook entries by event, as ``hooks.json`` holds them, which run ``guard`` with the agent's name behind."""
    before = {"type": "command", "command": shlex.join([*guard, "codex"]), "timeout": _SECONDS}
    after = {**before, "command": f"{before['command']} after", "timeout": _LOOK_SECONDS}
    session = {**before, "command": f"{before['command']} session"}
    return {
        "PreToolUse": [{"matcher": MATCHER, "hooks": [before]}],
        "PostToolUse": [{"matcher": SIDE_EFFECTS, "hooks": [after]}],
        **{event: [{"hooks": [{**session, "timeout": seconds}]}] for event, seconds in SESSION.items()},
    }


def one_run(guard: Sequence[str]) -> list[str]:
    """Options that guard one run and leave nothing behind; without trust Codex passes them over in silence."""
    return [part for event, groups in entries(guard).items() for part in ("-c", f"hooks.{event}={_toml(groups)}")]


def _toml(value: Any) -> str:
    """Inline TOML; its basic strings are JSON's."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)
