"""What a folder under ``agents`` gives: how to know, read and find one agent's transcripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from passdown.agents.stream import Event


class FoundSession(Struct, frozen=True, kw_only=True):
    """A transcript of work in one worktree; ``modified``: time of its last record, ISO."""

    agent: str
    session: str
    path: Path
    started: str | None
    modified: str
    cwd: str | None
    forked_from: str | None = None


class AgentReader(Protocol):
    """One agent's transcripts, of every version."""

    name: str

    def sniff(self, start: list[bytes]) -> bool:
        """Say whether the first lines of a file are this agent's transcript."""
        ...

    def read(self, path: Path) -> Iterator[Event]:
        """Yield the events of a transcript and of the side files that belong to it, lazily."""
        ...

    def find(self, root: Path, env: Mapping[str, str]) -> list[FoundSession]:
        """List the sessions that worked in the worktree ``root`` (a real path), unordered."""
        ...
