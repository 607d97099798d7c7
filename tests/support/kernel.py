"""What the kernel says of other processes, each of which may end while it is read, and of their locks."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

_PROCESSES = Path("/proc")


def command_line(pid: int) -> bytes:
    """Its words, each ended by NUL; empty where it is gone."""
    return _read(pid, "cmdline")


def command_lines() -> dict[int, bytes]:
    """The words of every process."""
    return {int(at.name): command_line(int(at.name)) for at in _PROCESSES.iterdir() if at.name.isdigit()}


def know(path: Path) -> list[int]:
    """The processes that were told of a path, by their words or their environment."""
    told = os.fsencode(path)
    return [pid for pid, line in command_lines().items() if told in line + _read(pid, "environ")]


def began(pid: int) -> str:
    """When it began, as the kernel counts; it must live."""
    return _stat(pid)[19]


def ended(pid: int) -> bool:
    """Gone, or a zombie that nobody has waited for."""
    return _stat(pid)[:1] in ([], ["Z"])


def locked(folder: Path) -> list[Path]:
    """Files below it that a process holds a lock on."""
    return [path for path in folder.rglob("*lock") if path.is_file() and _held(path)]


def _held(path: Path) -> bool:
    try:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def _stat(pid: int) -> list[str]:
    """The fields after the program's name; none where it is gone."""
    return _read(pid, "stat").decode().rpartition(")")[2].split()


def _read(pid: int, what: str) -> bytes:
    try:
        return (_PROCESSES / str(pid) / what).read_bytes()
    except OSError:
        return b""
