"""Whether the run that a packet sealed still goes on. It is only looked at, never ended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from passdown.model.packet import Packet

_UNENDED = ("running", "truncated", "unknown")
_OWN_SESSION = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")


def still_running(packet: Packet, root: Path) -> str | None:
    """What shows that the packet's session is at work; None where nothing does, or where it is what asks.

    A client that sits idle at its prompt is not at work: its transcript says that the turn has ended.
    """
    from passdown.agents.alive import at_work
    from passdown.agents.sessions import find_sessions, read_session
    from passdown.rules.instants import seconds

    run = packet.run
    if run.session is None or run.agent is None or run.session in map(os.environ.get, _OWN_SESSION):
        return None
    found = next((one for one in find_sessions(root, os.environ) if one.session == run.session), None)
    if found is None or at_work(run.agent, run.session, found.path) is None:
        return None
    later = (seconds(found.modified) or 0) > (seconds(run.ended) or 0)
    if run.end.reason not in _UNENDED and not later:
        return None
    end = read_session(found.path, outputs=False).end
    return end.because if end.reason == "running" else None
