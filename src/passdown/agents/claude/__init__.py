"""Claude Code: where its transcripts lie and what their records mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.agents.claude.find import find
from passdown.agents.claude.sniff import sniff

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passdown.agents.stream import Event

name = "claude"

__all__ = ["find", "name", "read", "sniff"]


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a transcript; what reads one loads here, for most commands read none."""
    from passdown.agents.claude import events  # noqa: PLC0415 - see above

    return events.read(path)
