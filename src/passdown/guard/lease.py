"""Who holds a worktree: one active run at a time, while its agent lives (semantics: section 5)."""

from __future__ import annotations

import os
import time
from pathlib import Path

from msgspec import Struct, convert, field, to_builtins

from passdown.guard import hook_files
from passdown.guard.hook import lease as stored
from passdown.workspace.place import Place

_SILENT = 600.0
"""Seconds after which a run whose process cannot be seen from here counts as gone."""


class Lease(Struct, frozen=True, kw_only=True):
    """One run's hold of a worktree.

    ``pid``, ``start``, ``space``: its agent's process (0: not known yet). ``displaced``: sessions that were taken over.
    """

    task: str
    packet: str
    run: str
    agent: str = ""
    session: str = ""
    since: str = ""
    pid: int = 0
    start: str = ""
    space: str = ""
    displaced: list[str] = field(default_factory=list)


def path_of(place: Place) -> Path:
    """Where this worktree's lease lies."""
    name = hook_files.rules_file(place.home, place.git_dir, place.common_dir).stem
    return Path(stored.path_of(str(place.common_dir), name))


def holder(place: Place) -> Lease | None:
    """The lease of this worktree whose agent lives; None where none does."""
    path = path_of(place)
    found = stored.load(str(path))
    if found is None:
        return None
    try:
        lease = convert(found, Lease)
    except ValueError:
        return None
    return lease if _lives(lease, path) else None


def _lives(lease: Lease, path: Path) -> bool:
    if lease.space != stored.space():  # another container, or another boot: only its hooks tell
        return lease.pid != 0 and time.time() - path.stat().st_mtime < _SILENT
    return lease.pid != 0 and stored.started(lease.pid) == lease.start != ""


def mine(lease: Lease) -> bool:
    """Whether this very process works for the run that holds it."""
    return lease.pid == os.getpid() or lease.pid in stored.ancestors()


def take(place: Place, lease: Lease) -> None:
    """Write it down."""
    stored.store(str(path_of(place)), to_builtins(lease))


def process(*, agent: bool, starts: bool) -> tuple[int, str, str]:
    """``(pid, start, space)`` of the agent: this process where it becomes one, its client where an agent runs it."""
    pid = os.getpid() if starts else stored.client(stored.ancestors()) if agent else 0
    return pid, stored.started(pid) if pid else "", stored.space()
