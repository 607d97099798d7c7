"""The changes that a run or a range of commits made, gathered for the one engine that judges them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.staged import staged
from passdown.rules.judge import PathChange
from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot

_LINK = "120000"
_LINK_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Stretch:
    """Changes that are judged together: ``where`` is "" for the sum of all, else what to call it."""

    where: str
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class Work:
    """All stretches, the tree that the sum ends in, and what a reader should know."""

    stretches: list[Stretch]
    tree: str
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Start:
    """Where the work began: raw worktree tree and HEAD (None: no commit then)."""

    tree: str
    head: str | None


def since(place: Place, start: Start, now: Snapshot, upstream: Sequence[str] = ()) -> Work:
    """Everything since ``start``: each commit, the index, and all of it in sum with the worktree.

    What ``upstream`` (tips of the base branch, here and on the remote) brought by a merge or rebase is no touch.
    """
    notes: list[str] = []
    line = _Line.read(place, start.head, place.head, upstream, notes)
    stretches = line.stretches(place)
    index = _staged(place, line, now, notes)
    whole = diff.tree_diff(place, start.tree, now.tree, counts=True)
    dirty = _unlike_head(place, now)
    touched = {c.path for stretch in stretches for c in stretch.changes}
    mine = [c for c in whole if c.path in touched or c.path in dirty or c.path not in line.merged_in]
    return Work([Stretch("", mine), *stretches, *index], now.tree, notes)


def between(place: Place, base: str, head: str) -> Work:
    """The commits that ``head`` has over ``base``, by their own trees, one by one and in sum."""
    fork = history.merge_base(place, base, head)
    if fork is None:
        raise PassdownError(
            f"{base[:12]} and {head[:12]} share no commit here",
            "a shallow clone? git fetch --unshallow",
            EXIT_UNDECIDED,
        )
    stretches = []
    for commit, subject in history.commits_between(place, fork, head):
        if not history.is_ancestor(place, commit, base):
            stretches.append(Stretch(_name(commit, subject), _own_changes(place, commit)[0]))
    whole = diff.tree_diff(place, fork, head, counts=True)
    return Work([Stretch("", whole), *reversed(stretches)], head)


def path_changes(place: Place, changes: Iterable[Change]) -> list[PathChange]:
    """The same changes as the engine takes them, symbolic links with their text."""
    return [
        PathChange(c.path, c.status, c.old_mode, c.new_mode, _target(place, c), c.added, c.removed) for c in changes
    ]


def _target(place: Place, change: Change) -> str | None:
    if change.new_mode != _LINK:
        return None
    return os.fsdecode(diff.read_blob(place, change.new_blob, _LINK_LIMIT))


@dataclass(frozen=True, slots=True)
class _Line:
    """The commits since the start that are this work's own, and the paths that others' merges brought."""

    start: str | None
    own: list[tuple[str, str]]
    merged_in: set[str]

    @classmethod
    def read(
        cls, place: Place, start: str | None, head: str | None, upstream: Sequence[str], notes: list[str]
    ) -> _Line:
        if head is None or head == start:
            return cls(start, [], set())
        if start is not None and not history.is_ancestor(place, start, head):
            notes.append(
                f"HEAD left {start[:9]}, where this work began: commits were rewritten or another was checked out"
            )
            start = history.merge_base(place, start, head)
        begun = start or ""
        theirs = {commit for tip in upstream for commit, _ in history.commits_between(place, begun, tip)}
        everything = history.commits_between(place, begun, head)
        main = [commit for commit, _ in history.commits_between(place, begun, head, first_parent=True)]
        foreign = theirs & {commit for commit, _ in everything} | _side(place, start, everything, set(main))
        own = [(commit, subject) for commit, subject in reversed(everything) if commit not in foreign]
        merged_in = {path for commit in main if commit not in foreign for path in _own_changes(place, commit)[1]}
        below = next((commit for commit in main if commit in foreign), None)
        if below is not None:  # a rebase: others' commits lie under this work's own
            merged_in |= {change.path for change in diff.tree_diff(place, begun, below)}
        if foreign:
            notes.append(
                f"{len(foreign)} commits came in from elsewhere by a merge or rebase: not counted as this work"
            )
        return cls(start, own, merged_in)

    def stretches(self, place: Place) -> list[Stretch]:
        """One stretch for each own commit, oldest first."""
        return [Stretch(_name(commit, subject), _own_changes(place, commit)[0]) for commit, subject in self.own]


def _side(place: Place, start: str | None, everything: list[tuple[str, str]], main: set[str]) -> set[str]:
    """Commits beside the first-parent line that do not grow from ``start``: somebody else's, merged in."""
    if start is None:
        return set()
    aside = [commit for commit, _ in everything if commit not in main]
    return {commit for commit in aside if not history.is_ancestor(place, start, commit)}


def _own_changes(place: Place, commit: str) -> tuple[list[Change], set[str]]:
    """``(changes, brought)``: what the commit itself changed; what a merge only brought from its other parents."""
    parents = history.parents(place, commit)
    changes = diff.tree_diff(place, parents[0] if parents else "", commit, counts=True)
    if len(parents) < 2:  # noqa: PLR2004 -- a merge has two parents or more
        return changes, set()
    unlike_others = [{c.path for c in diff.tree_diff(place, other, commit)} for other in parents[1:]]
    own = [c for c in changes if all(c.path in paths for paths in unlike_others)]
    return own, {c.path for c in changes} - {c.path for c in own}


def _unlike_head(place: Place, now: Snapshot) -> set[str]:
    """Paths whose content, as git would commit it, is not HEAD's."""
    if place.head is None or now.commit_tree is None:
        return set()
    return {c.path for c in diff.tree_diff(place, place.head, now.commit_tree)}


def _staged(place: Place, line: _Line, now: Snapshot, notes: list[str]) -> list[Stretch]:
    """The index against HEAD; a staged return to older content of a file that this work changed is told."""
    changes = staged(place)
    if not changes:
        return []
    dirty = {c.path for c in diff.tree_diff(place, now.commit_tree, place.head or "")} if now.commit_tree else set()
    old = {c.path: c.old_blob for c in diff.tree_diff(place, line.start, place.head or "")} if line.start else {}
    for change in changes:
        if old.get(change.path) == change.new_blob and change.new_blob:
            where = "the worktree has newer content" if change.path in dirty else "the worktree too"
            notes.append(f"self-revert staged: {change.path} as it was at {(line.start or '')[:9]}; {where}")
    return [Stretch("staged", changes)]


def _name(commit: str, subject: str) -> str:
    return f"commit {commit[:9]} {subject}".strip()
