"""The changes that a run or a range of commits made, gathered for the one engine that judges them."""

from __future__ import annotations

from msgspec import Struct, field

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.lineage import Line, Start, Upstream, read_line
from passdown.guard.merges import own_changes
from passdown.guard.pushed import left
from passdown.guard.staged import staged
from passdown.guard.surface import cut_reflog, surface_changes
from passdown.rules.amount import amount
from passdown.rules.changes import Violation
from passdown.rules.leftovers import leftover
from passdown.workspace import diff, generated, history, reflog
from passdown.workspace.diff import Change
from passdown.workspace.own_block import not_ours
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot


class Stretch(Struct, frozen=True):
    """Changes that are judged together: ``where`` is "" for the sum of all, else what to call it."""

    where: str
    changes: list[Change]


class Work(Struct, frozen=True):
    """All stretches, the tree that the sum ends in, what a reader should know, and what no tree shows.

    ``fork``: of a range, the commit that it goes on from.
    """

    stretches: list[Stretch]
    tree: str
    notes: list[str] = field(default_factory=list)
    surface: list[Violation] = field(default_factory=list)
    fork: str = ""


def since(place: Place, start: Start, now: Snapshot, upstream: Upstream = Upstream()) -> Work:  # noqa: B008 - a value
    """Everything since ``start``: each commit, the index, and all of it in sum with the worktree.

    What the base branch brought by a merge or rebase is no touch (``lineage``).
    """
    notes: list[str] = []
    line = read_line(place, start, upstream, notes)
    stretches = [Stretch(own.name, not_ours(place, own.changes)) for own in line.own]
    stretches += _pushed(place, start, line)
    index = _staged(place, line, now, notes)
    whole = diff.tree_diff(place, start.tree, now.tree, counts=True)
    dirty = _unlike_head(place, now)
    touched = {c.path for stretch in [*stretches, *index] for c in stretch.changes}
    mine = [c for c in whole if c.path in touched or c.path in dirty or c.path not in line.merged_in]
    mine, made = generated.apart(place, mine, touched)
    notes += _said(made)
    surface, told = surface_changes(start.control, now.parts)
    surface += cut_reflog(start.moves, reflog.moves(place))
    return Work([Stretch("", mine), *stretches, *index], now.tree, notes + told, surface)


def between(place: Place, base: str, head: str) -> Work:
    """The commits that ``head`` has over ``base``, by their own trees, one by one and in sum."""
    fork = history.merge_base(place, base, head)
    if fork is None:
        raise PassdownError(
            f"{base[:12]} and {head[:12]} share no commit here",
            "a shallow clone? git fetch --unshallow",
            EXIT_UNDECIDED,
        )
    own = own_changes(place, history.commits(place, [head], [base])[::-1])
    whole = diff.tree_diff(place, fork, head, counts=True)
    return Work([Stretch("", whole), *(Stretch(one.name, one.changes) for one in own)], head, fork=fork)


def _pushed(place: Place, start: Start, line: Line) -> list[Stretch]:
    """What was pushed from here and is not HEAD's (any more): a remote has it, whatever the worktree shows."""
    gone = own_changes(place, left(place, start, place.branch, {own.commit.id for own in line.own}))
    return [Stretch(f"pushed: {own.name}", not_ours(place, own.changes)) for own in gone]


def _unlike_head(place: Place, now: Snapshot) -> set[str]:
    """Paths whose content, as git would commit it, is not HEAD's."""
    if place.head is None or now.commit_tree is None:
        return set()
    return {c.path for c in diff.tree_diff(place, place.head, now.commit_tree)}


def _said(made: list[Change]) -> list[str]:
    """What a reader should know of the caches that tools left in the worktree and that no commit holds."""
    if not made:
        return []
    kinds = ", ".join(sorted({leftover(c.path) or "" for c in made}))
    return [f"not judged: {amount(len(made), 'generated file')} ({kinds}); .gitignore would hide them"]


def _staged(place: Place, line: Line, now: Snapshot, notes: list[str]) -> list[Stretch]:
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
