"""After a tool call: what changed outside the boundary since the last look, whoever wrote it and however.

What was found is told once, kept as a patch under ``<common>/passdown/guard/outside/``, and stays a fact of the
record; :mod:`passdown.guard.work` judges the run as a whole.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct, field

from passdown.errors import PassdownError
from passdown.guard.commit_judge import judge_sum
from passdown.guard.hook.rules import Rules
from passdown.guard.hook_files import folder, put
from passdown.guard.lineage import Start, Upstream, read_line
from passdown.rules.changes import Violation
from passdown.workspace import diff, generated, reflog, snapshot
from passdown.workspace.diff import Change
from passdown.workspace.place import Place


class Seen(Struct, frozen=True):
    """The last look: its tree and HEAD, how often HEAD had moved, what was told already (path -> blob).

    ``start``: the tree of the first one. ``log``: HEAD's reflog as a file, by size and time: where it is the same, HEAD
    did not move. ``own``: the keys of the paths that this worktree changed since the first look.
    """

    boundary: str
    start: str
    tree: str
    moves: int
    told: dict[str, str] = field(default_factory=dict)
    log: str = ""
    own: list[str] = field(default_factory=list)
    head: str | None = None


class Outside(Struct, frozen=True):
    """One path that changed outside, by which rule; ``op`` as in a diff."""

    path: str
    op: str
    rule: str
    because: str


class Look(Struct, frozen=True):
    """What a look found; ``patch``: the file that keeps it, ``made``: new files that the boundary lets appear.

    ``inside``: the other paths that changed since the last look.
    """

    outside: list[Outside]
    patch: Path | None = None
    made: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)


def look(place: Place, rules: Rules, name: str, started: str | None, upstream: Callable[[], Upstream]) -> Look:
    """Compare with the last look (``started``: the tree of the run's start, for the first one), and remember.

    ``upstream`` is asked where HEAD went to commits that may be others'.

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
            then = (int(rules.stored["moves"]), rules.stored["head"]) if started else (moves, place.head)
            before = Seen(boundary, started or now, started or now, then[0], head=then[1])
        changes, _ = generated.apart(place, _changes(place, before, now, (moves, upstream)))
        own = dict.fromkeys([*before.own, *(_key(change.path) for change in changes)])
        whole = _whole(place, before.start, now, own, changes)
        judged = list(_outside(judge_sum(place, rules, whole, now), whole, changes, before.told))
        told = {**before.told, **{_key(change.path): change.new_blob for change, _ in judged}}
        kept = _keep(place, before, now, [change.path for change, _ in judged], {change.path for change in changes})
        put(file, msgspec.json.encode(Seen(boundary, before.start, now, moves, told, log, [*own], place.head)))
    outside = [found for _, found in judged]
    paths = {each.path for each in outside}
    return Look(outside, kept, _made(rules, changes, paths), [c.path for c in changes if c.path not in paths])


def _read(file: Path) -> Seen | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Seen)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def _changes(place: Place, before: Seen, now: str, went_by: tuple[int, Callable[[], Upstream]]) -> list[Change]:
    """What differs, without what the base branch brought; told apart as `passdown verify` does."""
    if before.tree == now:
        return []
    try:
        changes = diff.tree_diff(place, before.tree, now)
    except PassdownError:  # the last tree was never kept and is gone: from here on
        return []
    went = went_by[0] - before.moves
    if went <= 0 or len(reflog.made_here(place, before.moves)) == went or place.head is None:
        return changes
    line = read_line(place, Start(before.tree, before.head, before.moves), went_by[1](), [])
    own = {change.path for each in line.own for change in each.changes}
    own |= {change.path for change in diff.tree_diff(place, place.head, now)}
    return [change for change in changes if change.path in own or change.path not in line.merged_in]


def _whole(place: Place, start: str, now: str, own: Collection[str], changes: list[Change]) -> list[Change]:
    """All that this worktree changed since the start; what is as it was then is no change: undoing is no touch."""
    try:
        return [change for change in diff.tree_diff(place, start, now) if _key(change.path) in own] if changes else []
    except PassdownError:  # the first look's tree is gone
        return changes


def _outside(
    found: Sequence[Violation], whole: Sequence[Change], changes: Sequence[Change], told: Mapping[str, str]
) -> Iterator[tuple[Change, Outside]]:
    """What of the work lies outside, as far as it changed now; and a new file that is one too many by now."""
    by_path, moved = {change.path: change for change in whole}, {change.path for change in changes}
    for each in found:
        change = by_path.get(each.path)
        fresh = each.path in moved or each.rule == "new"
        if change is not None and fresh and told.get(_key(change.path)) != change.new_blob:
            yield change, Outside(change.path, change.status, each.rule, each.because)


def _key(path: str) -> str:
    """The path as a key of JSON, whatever its bytes."""
    return os.fsencode(path).decode("latin-1")


def _made(rules: Rules, changes: Sequence[Change], outside: Collection[str]) -> list[str]:
    """New files that no pattern lists and that may appear all the same."""
    new = [change.path for change in changes if change.status == "added" and change.path not in outside]
    return [path for path in new if rules.decide(path)[1] == "outside" and rules.spared(path, exists=False) == "new"]


def _keep(place: Place, before: Seen, now: str, paths: Sequence[str], moved: Collection[str]) -> Path | None:
    """The outside changes as a patch of their own, since the last look where they moved; None where there are none."""
    if not paths:
        return None
    path = folder(place.home) / "outside" / f"{now[:12]}.patch"
    asked = [(before.tree, [p for p in paths if p in moved]), (before.start, [p for p in paths if p not in moved])]
    put(path, b"".join(diff.patch(place, old, now, some) for old, some in asked if some), mode=0o600)
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
