"""The gate of a run that must restate its packet before the first write, and again after a compaction."""

from __future__ import annotations

import os

from .rules import Rules
from .scan import Json, text_of

COMPACTING = ("PreCompact", "PostCompact")


def shut(rules: Rules, payload: Json) -> str:
    """What the agent must do before it writes, in one line; "" where the gate is open or none is set.

    A session that is known by name must have read for itself: what another one read is not in its conversation.
    """
    gate = rules.stored.get("gate")
    if not gate:
        return ""
    sessions = gate.get("sessions", {"": gate.get("read", 0.0)})  # the second: rules of before an upgrade
    session = text_of(payload.get("session_id"))
    read = max(sessions.get(session, 0.0), sessions.get("", 0.0)) if session else max(sessions.values(), default=0.0)
    if not read:
        return text_of(gate["text"])
    try:
        compacted = os.stat(gate["marker"]).st_mtime
    except OSError:
        return ""
    return "" if compacted <= read else f"the conversation was compacted: {text_of(gate['text'])}"


def compacts(payload: Json) -> bool:
    """Whether the main conversation is being compacted, or just was, or was cleared."""
    event = payload.get("hook_event_name")
    again = event == "SessionStart" and payload.get("source") in ("compact", "clear")
    return (event in COMPACTING or again) and not payload.get("agent_id")


def close(rules: Rules) -> None:
    """Note that what was read back is gone from the conversation; without a gate nothing is kept."""
    gate = rules.stored.get("gate")
    if gate:
        with open(gate["marker"], "wb"):
            pass
