"""After a tool call: what changed outside the boundary since the last look, whoever wrote it and however.

What was found is told once, kept as a patch under ``<common>/passdown/guard/outside/``, and stays a fact of the
record; :mod:`passdown.guard.work` judges the run as a whole.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct, field

from passdown.errors import PassdownError
from passdown.guard.commit_judge import judged as judged_changes
from passdown.guard.hook.rules import Rules
from passdown.guard.hook_files import folder, put
from passdown.workspace import diff, reflog, snapshot
from passdown.workspace.diff import Change
from passdown.workspace.place import Place


class Seen(Struct, frozen=True):
    """The last look: its tree, how often HEAD had moved, what was told already (path -> blob); ``start``: the first.

    ``log``: HEAD's reflog as a file, by size and time: where it is the same, HEAD did not move.
    """

    boundary: str
    start: str
    tree: str
    moves: int
    told: dict[str, str] = field(default_factory=dict)
    log: str = ""


class Outside(Struct, frozen=True):
    """One path that changed outside, by which rule; ``op`` as in a diff."""

    path: str
    op: str
    rule: str
    because: str


class Look(Struct, frozen=True):
    """What a look found; ``patch``: the file that keeps it, ``made``: new files that the boundary lets appear."""

    outside: list[Outside]
    patch: Path | None = None
    made: list[str] = field(default_factory=list)


def look(place: Place, rules: Rules, name: str, started: str | None) -> Look:
    """Compare with the last look (``started``: the tree of the run's start, for the first one), and remember.

    Nothing where another look is about to begin: it sees what this one would, and tells it.
    """
    file = folder(place.home) / "seen" / f"{name}.json"
    with _turn(file) as ours:
        if not ours:
            return Look([])
        before = _read(file)
        log = _log(place)
        now = snapshot.take(place).tree
        boundary = str(rules.stored["boundary"])
        still = before is not None and (before.boundary, before.log) == (boundary, log) and log != ""
        if before is not None and still and before.tree == now:
            return Look([])
        moves = before.moves if before is not None and still else reflog.moves(place)
        if before is None or before.boundary != boundary:
            before = Seen(boundary, started or now, started or now, moves)
        changes = _changes(place, before, now, moves)
        judged = _still_there(place, before.start, now, list(_outside(place, rules, changes, before.told)))
        told = {**before.told, **{_key(change.path): change.new_blob for change, _ in judged}}
        kept = _keep(place, before.tree, now, [change.path for change, _ in judged])
        put(file, msgspec.json.encode(Seen(boundary, before.start, now, moves, told, log)))
    return Look([found for _, found in judged], kept, _made(rules, changes))


def _read(file: Path) -> Seen | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Seen)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _changes(place: Place, before: Seen, now: str, moves: int) -> list[Change]:
    """What differs; where HEAD went to commits that others made, only what the worktree holds besides them."""
    if before.tree == now:
        return []
    try:
        changes = diff.tree_diff(place, before.tree, now)
    except PassdownError:  # the last tree was never kept and is gone: from here on
        return []
    went = moves - before.moves
    if went <= 0 or len(reflog.made_here(place, before.moves)) == went or place.head is None:
        return changes
    own = {change.path for change in diff.tree_diff(place, place.head, now)}
    return [change for change in changes if change.path in own]


def _outside(
    place: Place, rules: Rules, changes: Sequence[Change], told: dict[str, str]
) -> Iterator[tuple[Change, Outside]]:
    by_path = {change.path: change for change in changes}
    for found in judged_changes(place, rules, changes):
        change = by_path[found.path]
        if told.get(_key(change.path)) != change.new_blob:
            yield change, Outside(change.path, change.status, found.rule, found.because)


def _key(path: str) -> str:
    """The path as a key of JSON, whatever its bytes."""
    return os.fsencode(path).decode("latin-1")


def _still_there(
    place: Place, start: str, now: str, judged: list[tuple[Change, Outside]]
) -> list[tuple[Change, Outside]]:
    """Without what is as it was when the run started: undoing is no touch."""
    if not judged:
        return []
    try:
        differs = {change.path for change in diff.tree_diff(place, start, now)}
    except PassdownError:  # the first look's tree is gone
        return judged
    return [each for each in judged if each[0].path in differs]


def _made(rules: Rules, changes: Sequence[Change]) -> list[str]:
    """New files that no pattern lists and that may appear all the same."""
    new = [change.path for change in changes if change.status == "added"]
    return [path for path in new if rules.decide(path)[1] == "outside" and rules.spared(path, exists=False) == "new"]


def _keep(place: Place, before: str, now: str, paths: Sequence[str]) -> Path | None:
    """The outside changes as a patch of their own; None where there are none."""
    if not paths:
        return None
    path = folder(place.home) / "outside" / f"{now[:12]}.patch"
    put(path, diff.patch(place, before, now, paths), mode=0o600)
    return path


def _log(place: Place) -> str:
    """HEAD's reflog by size and time; "" where there is no such file."""
    try:
        found = (place.git_dir / "logs" / "HEAD").stat()
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"


@contextmanager
def _turn(file: Path) -> Iterator[bool]:
    """One look at a time and one that waits: agents run tools side by side. False: another waits already."""
    file.parent.mkdir(parents=True, exist_ok=True)
    waiting = _open(file.with_suffix(".next"))
    try:
        looking = _open(file.with_suffix(".lock"))
        try:
            try:
                fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            fcntl.flock(looking, fcntl.LOCK_EX)
            fcntl.flock(waiting, fcntl.LOCK_UN)
            yield True
        finally:
            os.close(looking)
    finally:
        os.close(waiting)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
