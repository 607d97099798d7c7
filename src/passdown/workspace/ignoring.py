"""Which paths the worktree's ``.gitignore`` files ignore, and which of them says so; no other source counts."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import Struct

from passdown.workspace.git import Git, zjoin, zsplit

# Caches that tools fill as they run. A `.gitignore` that nobody tracks may hide these, and nothing else:
# pytest, mypy, ruff and venv write one with `*` into their own folder.
_CACHES = frozenset(
    {
        b"__pycache__",
        b"node_modules",
        b".pytest_cache",
        b".mypy_cache",
        b".ruff_cache",
        b".hypothesis",
        b".tox",
        b".nox",
        b".gradle",
        b".turbo",
        b".next",
        b".DS_Store",
    }
)
CACHE_MARKS = frozenset({b"pyvenv.cfg", b"CACHEDIR.TAG"})


class Ignored(Struct, frozen=True):
    """The file that ignores a path, relative to the asked repository's root."""

    source: bytes


def ask(git: Git, paths: Sequence[bytes]) -> list[Ignored | None]:
    """For each path what ignores it, None where nothing does. ``git`` runs in the repository's root."""
    if not paths:
        return []
    # This command alone refuses literal pathspecs; "./" keeps a name that starts with a colon from being one.
    plain = git.having(GIT_LITERAL_PATHSPECS="0")
    data = zjoin(b"./" + path for path in paths)
    told = zsplit(plain.run("check-ignore", "-z", "-v", "-n", "--no-index", "--stdin", data=data, allow=(0, 1)))
    return [
        Ignored(source) if source and not pattern.startswith(b"!") else None
        for source, pattern in zip(told[0::4], told[2::4], strict=True)
    ]


def marked_cache(root: bytes, folder: bytes) -> bool:
    """Whether the folder's content says that a tool keeps a cache or an environment in it."""
    at = os.path.join(root, folder)
    if os.path.lexists(os.path.join(at, b"pyvenv.cfg")):
        return True
    name = folder.rpartition(b"/")[2]
    return (name.startswith(b".") or name == b"target") and os.path.lexists(os.path.join(at, b"CACHEDIR.TAG"))


def named_cache(name: bytes) -> bool:
    """Whether this is the usual name of a tool's cache."""
    return name in _CACHES
