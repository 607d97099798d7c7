"""How a shell call ended, as a hook's payload after it tells."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class ToolEnd(Struct, frozen=True):
    """``code``: None where the client does not tell; ``seconds``: how long it took, None the same."""

    code: int | None
    output: str
    seconds: float | None = None


def tool_end(payload: Mapping[str, object]) -> ToolEnd | None:
    """Of whichever client the payload is; None where the call did not run, or goes on in the background."""
    from passdown.agents.claude import tool_end as claude  # noqa: PLC0415 - a hook loads what it needs
    from passdown.agents.codex import tool_end as codex  # noqa: PLC0415 - the same

    return claude.tool_end(payload) or codex.tool_end(payload)
