"""What Codex's hook after a shell call tells of its end (seen with 0.171): the output, and no exit code."""

from __future__ import annotations

from collections.abc import Mapping

from passdown.agents.tool_end import ToolEnd


def tool_end(payload: Mapping[str, object]) -> ToolEnd | None:
    """None where the payload is another client's. A failing command gives the same event as one that passed."""
    said = payload.get("tool_response")
    if payload.get("hook_event_name") != "PostToolUse" or not isinstance(said, str):
        return None
    return ToolEnd(None, said)
