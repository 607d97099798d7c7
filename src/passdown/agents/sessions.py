"""The sessions of this machine: read one, list those of a worktree, pick one by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from passdown.agents.protocol import FoundSession
from passdown.model.session import SessionFacts


def read_session(path: Path) -> SessionFacts:
    """Facts of the transcript at ``path``, known by its content; PassdownError where it is none."""
    raise NotImplementedError


def find_sessions(root: Path, env: Mapping[str, str]) -> list[FoundSession]:
    """Sessions that worked in the worktree ``root``, newest first by their last record."""
    raise NotImplementedError


def pick(name: str, root: Path, env: Mapping[str, str]) -> Path:
    """Find the transcript that ``name`` means: a file, an id or its beginning; PassdownError if none or several."""
    raise NotImplementedError
