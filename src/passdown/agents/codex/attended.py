"""Whether a person sits at a Codex session, by its transcript's first record."""

from __future__ import annotations

from pathlib import Path

from passdown.agents.codex.records import RECORD
from passdown.agents.lines import first_lines

_BY_HAND = ("cli", "vscode")


def attended(transcript: Path) -> bool:
    """Not where `codex exec`, a subagent or another program began it, or nothing says who did."""
    try:
        start = first_lines(transcript, 1)
    except OSError:
        return False
    record = RECORD.decode(start[0]) if start else None
    return record is not None and record.payload is not None and record.payload.source in _BY_HAND
