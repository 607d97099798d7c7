"""Snapshots of a repository as tests want them: short, and with a second opinion that has no memory."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from passdown.workspace.place import find_place
from passdown.workspace.snapshot import Snapshot, take

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.repo import Repo


@dataclass
class Camera:
    """Takes snapshots of one folder; every one is compared with one that knows nothing of the past."""

    root: Path

    def __call__(self) -> Snapshot:
        place = find_place(self.root)
        snapshot = take(place)
        shutil.rmtree(place.home / "worktrees")
        fresh = take(place)
        assert snapshot == fresh
        return snapshot

    def again(self) -> Snapshot:
        """With the memory of the last one alone."""
        return take(find_place(self.root))

    @property
    def tree(self) -> str:
        return self.again().tree


@pytest.fixture
def camera_of() -> Callable[[Repo], Camera]:
    return lambda repo: Camera(repo.root)


@pytest.fixture
def camera(repo: Repo) -> Camera:
    return Camera(repo.root)
