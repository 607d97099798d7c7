"""Processes that a session started and that live on, by the session's id in their environment (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct

from passdown.agents.alive import PROCESSES
from passdown.rules.patterns import lazy

NAMES = (b"CLAUDE_CODE_SESSION_ID=", b"CODEX_THREAD_ID=")
"""What Claude Code and Codex give each command of their shell."""
SHELLS = ("sh", "bash", "zsh", "dash", "fish")
_EVALUATED = lazy(r"\beval '((?:[^']|'\\'')*)'")  # as Claude Code wraps a command


class Left(Struct, frozen=True):
    """One process: its number and its command line."""

    pid: int
    command: str


def left_running(session: str) -> list[Left]:
    """The outermost processes of the session's shell calls that still run; this process and its parents aside."""
    wanted = {name + os.fsencode(session) for name in NAMES}
    found = {pid: _parent(pid) for pid in _processes() if wanted & set(_read(pid, "environ").split(b"\0"))}
    own = set(_above(os.getpid()))
    outer = [pid for pid, parent in found.items() if parent not in found and pid not in own]
    return [Left(pid, command) for pid in sorted(outer) if (command := _command(pid))]


def _processes() -> Iterator[int]:
    if PROCESSES.is_dir():
        yield from (int(each.name) for each in PROCESSES.iterdir() if each.name.isdigit())


def _above(pid: int) -> Iterator[int]:
    while pid > 1:
        yield pid
        pid = _parent(pid)


def _parent(pid: int) -> int:
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    return int(fields[1]) if fields[1:] else 0


def _command(pid: int) -> str:
    """The command line; of a shell that a client started, what the agent had it run."""
    words = [os.fsdecode(word) for word in _read(pid, "cmdline").rstrip(b"\0").split(b"\0")]
    options = [at for at, word in enumerate(words[1:-1], 1) if word in ("-c", "-lc")]
    if words[0].rpartition("/")[2] not in SHELLS or not options:
        return " ".join(words)
    script = words[options[0] + 1]
    asked = _EVALUATED.search(script)
    return asked[1].replace("'\\''", "'") if asked else script


def _read(pid: int, name: str) -> bytes:
    try:
        return (PROCESSES / str(pid) / name).read_bytes()
    except OSError:
        return b""
