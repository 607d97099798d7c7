"""Which worktree a working directory belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def worked_in(root: Path, folders: Iterable[str]) -> bool:
    """Say whether one of ``folders`` lies in the worktree ``root`` itself, not in one nested in it."""
    top = Path(os.path.realpath(root))
    return any(_inside(top, folder) for folder in folders)


def _inside(top: Path, folder: str) -> bool:
    """Compare real paths; a folder that is gone is taken by its name, a path of another system is never inside."""
    if not folder.startswith("/"):
        return False
    here = Path(os.path.realpath(folder))
    if not here.is_relative_to(top):
        return False
    between = [part for part in (here, *here.parents) if part.is_relative_to(top) and part != top]
    return not any(os.path.lexists(part / ".git") for part in between)
