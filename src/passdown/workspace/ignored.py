"""Which paths the worktree's own ``.gitignore`` files ignore, there or not."""

from __future__ import annotations

import os
from collections.abc import Sequence

from passdown.workspace.ignoring import ask
from passdown.workspace.place import Place
from passdown.workspace.private import private_at


def ignored(place: Place, paths: Sequence[str]) -> set[str]:
    """Those of ``paths`` that are ignored; a folder's ends with ``/``."""
    git = private_at(place).view().inside(place.root)
    told = ask(git, [os.fsencode(path) for path in paths])
    return {path for path, one in zip(paths, told, strict=True) if one is not None}
