"""Where a command runs: one worktree of one repository, found without running anything that it configures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """One worktree. Paths are real paths; ``home`` is created by the first write only."""

    root: Path
    git_dir: Path
    common_dir: Path
    home: Path
    worktree_id: str
    object_format: str
    branch: str | None
    head: str | None
    repository: str


def find_place(start: Path) -> Place:
    """The worktree around ``start``; PassdownError where there is none."""
    raise NotImplementedError
