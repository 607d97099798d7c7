"""What the kernel says of other processes, each of which may end while it is read."""

from __future__ import annotations

from pathlib import Path

_PROCESSES = Path("/proc")


def command_line(pid: int) -> bytes:
    """Its words, each ended by NUL; empty where it is gone."""
    return _read(pid, "cmdline")


def command_lines() -> dict[int, bytes]:
    """The words of every process."""
    return {int(at.name): command_line(int(at.name)) for at in _PROCESSES.iterdir() if at.name.isdigit()}


def began(pid: int) -> str:
    """When it began, as the kernel counts; it must live."""
    return _stat(pid)[19]


def ended(pid: int) -> bool:
    """Gone, or a zombie that nobody has waited for."""
    return _stat(pid)[:1] in ([], ["Z"])


def _stat(pid: int) -> list[str]:
    """The fields after the program's name; none where it is gone."""
    return _read(pid, "stat").decode().rpartition(")")[2].split()


def _read(pid: int, what: str) -> bytes:
    try:
        return (_PROCESSES / str(pid) / what).read_bytes()
    except OSError:
        return b""
