"""The branch that a Claude Code session stood on last, by the end of its transcript."""

from __future__ import annotations

from pathlib import Path

import msgspec

from passdown.agents.ends import ends

_FIELD = b'"gitBranch":"'
_DETACHED = ("", "HEAD")


def last_branch(path: Path) -> str | None:
    """None where the last records do not say, or HEAD was detached."""
    try:
        end = ends(path)[1]
    except OSError:
        return None
    _, found, rest = end.rpartition(_FIELD)
    try:
        name = msgspec.json.decode(b'"' + rest.partition(b'"')[0] + b'"', type=str) if found else ""
    except msgspec.MsgspecError:
        return None
    return None if name in _DETACHED else name
