"""The record as the measures read it: each task's records, its resumed runs, what git's history shows of their ends."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.cli.aftermath import infer_ends, undone_runs
from passdown.rules.measures.believed import believed
from passdown.rules.measures.parts import PARTS
from passdown.rules.measures.runs import ResumedRun, resumed_runs
from passdown.rules.measures.trail import Touch, Trail, trails

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passdown.cli.context import Context
    from passdown.rules.trust import Trust


class Histories(Struct, frozen=True):
    """``found``: every task by its id; ``apart``: tasks that unbelieved clones alone tell of, and which writer does."""

    found: dict[str, Trail]
    runs: list[ResumedRun]
    apart: Mapping[str, str]


def histories(context: Context) -> Histories:
    """Every task and every resumed run of the record, of this clone and of those that it believes."""
    with collector_resting():
        return _read(context)


@contextmanager
def collector_resting() -> Iterator[None]:
    """Hundreds of thousands of values come and stay: looking again and again which of them may go takes most time."""
    resting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if resting:
            gc.enable()


def _read(context: Context) -> Histories:
    records = context.recorder.records(parts=PARTS)
    trust = context.trust if any(not record.here for record in records) else None
    counting = believed(records, trust)
    found = trails(counting.records, touches(context, trust))
    runs = resumed_runs(found)
    if runs:
        closed = infer_ends(context, found, [run.task for run in runs])
        undone = undone_runs(context, found, runs)
        runs = resumed_runs(found, undone) if undone or closed else runs
    return Histories(found, runs, counting.apart)


def mark(context: Context) -> object:
    """Equal where :func:`histories` would say the same: record, journal, branches and the day as they are now."""
    from passdown.ledger import git_log
    from passdown.workspace.place import user_git

    home = context.place.home
    files = [home / name for name in ("index.db", "index.db-wal")] + sorted((home / "journal").glob("*"))
    stamps = [(file.name, seen.st_mtime_ns, seen.st_size) for file in files if (seen := _stat(file)) is not None]
    refs = user_git(context.place).run("for-each-ref", "--format=%(objectname) %(refname)")
    return stamps, git_log.tips(home / "store.git"), refs, context.place.head, context.now[:10]


def _stat(file: Path) -> os.stat_result | None:
    try:
        return file.stat()
    except FileNotFoundError:
        return None


def touches(context: Context, trust: Trust | None) -> Iterator[Touch]:
    """What the hooks of this clone saw, and of those that it believes (``trust`` None: itself alone)."""
    mine = context.recorder.writer
    for kind in ("touch", "bypass"):
        for fact in context.recorder.facts(kind=kind):
            if fact.writer not in {"", mine} and (trust is None or not trust.believes(fact.writer)):
                continue
            data = fact.data
            where = str(data.get("where") or kind)
            session = data.get("session")
            yield Touch(fact.id, fact.task, fact.at, str(data.get("path") or ""), where, str(session or "") or None)
