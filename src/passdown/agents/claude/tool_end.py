"""What Claude Code's hooks after a shell call tell of its end (seen with 2.1.332).

PostToolUse comes where the client takes the call for a success: exit code 0, or another one that it explains
(``returnCodeInterpretation``). PostToolUseFailure names the code in the first line of ``error``.
"""

from __future__ import annotations

from collections.abc import Mapping

from passdown.agents.tool_end import ToolEnd
from passdown.rules.patterns import lazy

_EXIT = lazy(r"\AExit code (-?\d{1,9})(?:\n|\Z)")


def tool_end(payload: Mapping[str, object]) -> ToolEnd | None:
    """None where the call did not run or goes on in the background, or where the payload is another client's."""
    taken = payload.get("duration_ms")
    seconds = taken / 1000 if isinstance(taken, int | float) else None
    error = payload.get("error")
    if payload.get("hook_event_name") == "PostToolUseFailure":
        found = _EXIT.match(error) if isinstance(error, str) else None
        if found is None or not isinstance(error, str):
            return None
        code = None if payload.get("is_interrupt") else int(found[1])
        return ToolEnd(code, error[found.end() :], seconds)
    said = payload.get("tool_response")
    if payload.get("hook_event_name") != "PostToolUse" or not isinstance(said, dict) or said.get("backgroundTaskId"):
        return None
    known = said.get("interrupted") is False and not said.get("returnCodeInterpretation")
    output = "\n".join(text for name in ("stdout", "stderr") if isinstance(text := said.get(name), str) and text)
    return ToolEnd(0 if known else None, output, seconds)
