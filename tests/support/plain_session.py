"""Facts of a session that did nothing but what a test says."""

from __future__ import annotations

from typing import Any

from passdown.model.session import End, Input, SessionFacts

_LISTS = (
    "requests", "writes", "commands", "checks", "claims", "prohibitions", "todos", "reads", "decisions", "dead_ends",
)  # fmt: skip


def session_facts(**changes: Any) -> SessionFacts:
    """An empty session with changes."""
    values: dict[str, Any] = {
        "agent": "claude",
        "client_version": None,
        "session": "s",
        "cwd": None,
        "branch": None,
        "started": None,
        "ended": None,
        "end": End(reason="finished", because=""),
        "compactions": 0,
        "subagents": 0,
        "input": Input(records=0, bad_lines=0, unknown={}),
        **{name: [] for name in _LISTS},
    }
    return SessionFacts(**values | changes)
