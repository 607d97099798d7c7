"""Whether the client of a session is still at work on this machine, by what it and the kernel say (Linux)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

PROCESSES = Path("/proc")
_START = 19  # the start time's place in /proc/PID/stat, counted after the program's name


class _Registered(msgspec.Struct, rename="camel"):
    """Claude Code's note of its own process, beside its transcripts."""

    pid: int
    session_id: str
    proc_start: str = ""


def at_work(agent: str, session: str, transcript: Path) -> int | None:
    """Return the process that writes ``transcript``; None where none shows, as with older clients."""
    try:
        if agent == "claude":
            return _registered(transcript.parents[2] / "sessions", session)
        if agent == "codex":
            return _locking(transcript.parents[4] / "thread-writer-locks" / f"{session}.lock")
    except (OSError, IndexError):
        pass
    return None


def left_behind(agent: str, session: str, transcript: Path) -> int | None:
    """Return the process that wrote ``transcript`` and was killed: its note is there and it is not; None elsewhere."""
    if agent != "claude":
        return None
    try:
        notes = list(_notes(transcript.parents[2] / "sessions", session))
    except (OSError, IndexError):
        return None
    gone = [note.pid for note in notes if _started(note.pid) != note.proc_start != ""]
    return gone[-1] if gone and len(gone) == len(notes) else None


def _registered(folder: Path, session: str) -> int | None:
    """Find the note of a process that lives: a killed client leaves its note behind, and its number is used again."""
    alive = (note for note in _notes(folder, session) if _started(note.pid) == note.proc_start != "")
    return next((note.pid for note in alive), None)


def _notes(folder: Path, session: str) -> Iterator[_Registered]:
    for path in folder.glob("*.json"):
        try:
            note = msgspec.json.decode(path.read_bytes(), type=_Registered)
        except (OSError, msgspec.MsgspecError, RecursionError):
            continue
        if note.session_id == session:
            yield note


def _started(pid: int) -> str | None:
    """Return when a process began, as the kernel counts it; None where there is no such process."""
    try:
        fields = (PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[_START]


def _locking(lock: Path) -> int | None:
    """Return the process that holds Codex's lock on a thread; read from the kernel's list, never tried out."""
    inode = str(lock.stat().st_ino)
    for line in (PROCESSES / "locks").read_text().splitlines():
        _, kind, _, mode, pid, place, *_ = line.split()
        if kind == "FLOCK" and mode == "WRITE" and place.rpartition(":")[2] == inode:
            return int(pid)
    return None
