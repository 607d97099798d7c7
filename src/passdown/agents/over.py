"""Whether the client of a session is known to be gone from this machine, by what clients keep while alive (Linux)."""

from __future__ import annotations

from pathlib import Path

from passdown.agents.alive import PROCESSES, at_work


def over(agent: str, session: str, transcript: Path) -> bool:
    """True where no process is at work and this client's versions say so while one is; False: not known."""
    if not (PROCESSES / "self" / "stat").exists() or at_work(agent, session, transcript) is not None:
        return False
    try:
        if agent == "claude":
            return (transcript.parents[2] / "sessions").is_dir()
        if agent == "codex":
            return (transcript.parents[4] / "thread-writer-locks" / f"{session}.lock").exists()
    except (OSError, IndexError):
        pass
    return False
