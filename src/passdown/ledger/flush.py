"""Committing the journal: one batch, one ``git fast-import``; whatever goes wrong, it stays journalled."""

from __future__ import annotations

import time
from pathlib import Path

from msgspec.structs import replace

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.ledger import intake, journal, tips
from passdown.ledger.batch import RawBatch, ref_of, stream
from passdown.ledger.compose import compose
from passdown.ledger.locks import exclusive
from passdown.ledger.own_chain import base
from passdown.ledger.projection import Projection
from passdown.ledger.tidy import tidy
from passdown.workspace.git import GitError
from passdown.workspace.store_git import ensure_store, store_git

LIMIT = 20_000
"""Records in one batch."""
_WAIT_SECONDS = 10.0
_STALE_LOCK_SECONDS = 3.0


def flush(home: Path, object_format: str, projection: Projection, *, current: bool = False) -> None:
    """Commit everything that is journalled; PassdownError where that cannot be done now.

    ``current``: the index was brought up a moment ago.
    """
    with exclusive(home / "flush.lock", _WAIT_SECONDS) as held:
        if not held:
            raise PassdownError("another process is committing the journal", "it stays journalled", EXIT_UNDECIDED)
        leftover = any(not each.done for each in journal.segments(home))
        journal.rotate(home)
        if not journal.segments(home):
            return
        store = ensure_store(home, object_format)
        left = True
        while left:
            try:
                left = _commit(home, store, projection, current=current and not leftover)
            except GitError:
                # A git process that outlived its killed parent may have moved our ref meanwhile: look again, once.
                left = _commit(home, store, projection, current=False, doubt=True)
            leftover = True
        tidy(home, store)


def _commit(home: Path, store: Path, projection: Projection, *, current: bool, doubt: bool = False) -> bool:
    """One batch; whether some of the journal is left. ``doubt``: our own tip may be damaged."""
    writer, on = base(home, store, projection, current=current, doubt=doubt)
    segments = journal.segments(home)
    parts, left = _gather(segments, on.segments)
    if any(part.statements or part.facts for part in parts.values()):
        raw, manifest = compose(writer, on.tip, on.head, parts)
        ref = ref_of(writer.id, manifest.epoch)
        commit = _fast_import(store, ref, raw, manifest.at)
        _remember(home, projection, ref, replace(raw, commit=commit))
    for segment in segments:
        if segment.name in parts:
            _close(segment, parts[segment.name])
    return left


def _close(segment: journal.Segment, part: journal.Part) -> None:
    """A segment committed to its end is done; a done one with nothing new in it goes."""
    if segment.done and not (part.statements or part.facts):
        segment.path.unlink()
    elif segment.done or segment.path.stat().st_size <= part.end:
        journal.finish(segment, part.end)


def _gather(segments: list[journal.Segment], committed: dict[str, int]) -> tuple[dict[str, journal.Part], bool]:
    """What to commit, by segment, up to LIMIT records; whether there is more."""
    parts: dict[str, journal.Part] = {}
    room = LIMIT
    for segment in segments:
        if room <= 0:
            return parts, True
        part = journal.read(segment, max(segment.offset, committed.get(segment.name, 0)), room)
        room -= len(part.statements) + len(part.facts)
        parts[segment.name] = part
    return parts, room <= 0


def _fast_import(store: Path, ref: str, raw: RawBatch, at: str) -> str:
    commands = stream(ref, raw, at)
    try:
        return _import_once(store, commands)
    except GitError:
        if not _drop_stale_lock(store / f"{ref}.lock"):
            raise
        return _import_once(store, commands)


def _import_once(store: Path, commands: bytes) -> str:
    return store_git(store).run("fast-import", "--quiet", "--date-format=raw", data=commands).decode().strip()


def _drop_stale_lock(path: Path) -> bool:
    """Remove our ref's lock if a process that died left it: we alone write this ref, and hold ``flush.lock``."""
    try:
        if time.time() - path.stat().st_mtime < _STALE_LOCK_SECONDS:
            return False
        path.unlink()
    except OSError:
        return False
    return True


def _remember(home: Path, projection: Projection, ref: str, raw: RawBatch) -> None:
    """Bring our own batch in without asking git again, and note the tip as seen."""
    with projection.adding():
        intake.take_in(projection, raw)
        intake.settle(projection)
        projection.set_tips({**projection.tips(), ref: raw.commit})
    tips.advance(home, {ref: raw.commit}, projection.leads_back)
