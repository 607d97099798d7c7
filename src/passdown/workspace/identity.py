"""The id of a worktree: that of its git folder's path, or the one that it had before it was moved."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_FILE = "moved"
_MOST = 64 * 1024


def worktree_id(git_dir: Path, home: Path) -> str:
    """16 hex digits; ``home`` is Passdown's folder of the repository."""
    own = own_id(git_dir)
    return _moved(home).get(own, own)


def rebind(git_dir: Path, home: Path, known_as: str) -> None:
    """From now on the worktree at this git folder is the one that the record knows by that id; OSError."""
    names = {**_moved(home), own_id(git_dir): known_as}
    new = home / f".{_FILE}.{os.getpid()}"
    new.write_text("".join(f"{own} {old}\n" for own, old in sorted(names.items())))
    os.replace(new, home / _FILE)


def own_id(git_dir: Path) -> str:
    """The id of this git folder alone, by whichever the record knows it."""
    return hashlib.sha256(os.fsencode(git_dir)).hexdigest()[:16]


def _moved(home: Path) -> dict[str, str]:
    try:
        with open(home / _FILE, "rb") as file:
            words = (line.decode("ascii", "replace").split() for line in file.read(_MOST).splitlines())
            return {pair[0]: pair[1] for pair in words if len(pair) == len(("own", "old"))}
    except OSError:
        return {}
