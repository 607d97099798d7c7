"""What the payload of a hook tells, whichever client's it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.agents.claude import tool_end as claude
from passdown.agents.codex import tool_end as codex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passdown.agents.tool_end import ToolEnd


def tool_end(payload: Mapping[str, object]) -> ToolEnd | None:
    """How the shell call ended; None where it did not run, or goes on in the background."""
    return claude.tool_end(payload) or codex.tool_end(payload)
