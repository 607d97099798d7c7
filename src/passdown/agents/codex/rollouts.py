"""Where rollouts lie, and how one is found by its thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from passdown.rules.patterns import lazy

_ID = lazy(r"[\w-]{1,80}")  # what may become part of a pattern


def root_of(path: Path) -> Path:
    """Return the folder under which the rollouts of ``path``'s store lie."""
    for folder in path.absolute().parents:
        if folder.name in {"sessions", "archived_sessions"}:
            return folder
    return path.absolute().parent


def rollout_of(thread: str, beside: Path) -> Path | None:
    """Find the rollout of a thread in the store of ``beside``; None where it is not here."""
    if not _ID.fullmatch(thread):
        return None
    root = root_of(beside)
    folders = {root, root.parent / "sessions", root.parent / "archived_sessions"}
    found = (path for folder in sorted(folders) for path in folder.rglob(f"*{thread}.jsonl*") if path != beside)
    return next(found, None)


def rollouts(home: Path) -> Iterator[Path]:
    """Yield every rollout under a CODEX_HOME."""
    for folder in ("sessions", "archived_sessions"):
        for pattern in ("rollout-*.jsonl", "rollout-*.jsonl.zst"):
            yield from (home / folder).rglob(pattern)
