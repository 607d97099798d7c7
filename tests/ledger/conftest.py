from __future__ import annotations

from pathlib import Path

import pytest

from support.repo import Repo


@pytest.fixture
def home(repo: Repo) -> Path:
    """Where Passdown would lie in a repository that never had it."""
    return repo.root / ".git/passdown"
