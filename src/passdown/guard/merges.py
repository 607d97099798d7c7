"""What each commit changed by itself; of a merge, what its parents did not bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.history import Commit
from passdown.workspace.place import Place


class Own(Struct, frozen=True):
    """A commit, what it changed itself, and the paths that a merge only took over."""

    commit: Commit
    changes: list[Change]
    brought: set[str]

    @property
    def name(self) -> str:
        """How a reader finds it."""
        return f"commit {self.commit.id[:9]} {self.commit.subject}".strip()


def own_changes(place: Place, commits: Sequence[Commit]) -> list[Own]:
    """The commits in their order, in a number of processes that does not depend on how many they are.

    A merge answers for a path where its result is neither parent's, and where it kept one side although only
    the other had changed the path (``merge -s ours`` drops others' work without a trace in its own diff).
    """
    sides = [(c.parents[0], other) for c in commits for other in c.parents[1:]]
    forks = dict(zip(sides, history.merge_bases(place, sides), strict=True))
    trees = {commit.id: commit.tree for commit in commits}
    named = [name for commit in commits for name in commit.parents] + [fork for fork in forks.values() if fork]
    trees |= history.trees_of(place, (name for name in named if name not in trees))
    asked = [pair for commit in commits for pair in _pairs(commit, forks)]
    found = iter(diff.tree_diffs(place, [(trees.get(a, a), trees.get(b, b)) for a, b in asked], counts=True))
    return [_own(commit, [next(found) for _ in _pairs(commit, forks)]) for commit in commits]


def _pairs(commit: Commit, forks: dict[tuple[str, str], str | None]) -> Iterator[tuple[str, str]]:
    """First parent to commit; for each other parent: it to the commit, the fork of both to it and to the first."""
    first = commit.parents[0] if commit.parents else ""
    yield first, commit.id
    for other in commit.parents[1:]:
        fork = forks[first, other] or ""
        yield from ((other, commit.id), (fork, other), (fork, first))


def _own(commit: Commit, diffs: list[list[Change]]) -> Own:
    ours = {change.path: change for change in diffs[0]}
    own = dict(ours)
    brought: set[str] = set()
    for at in range(1, len(diffs), 3):
        theirs = {change.path: change for change in diffs[at]}
        brought |= {path for path in ours if path not in theirs}
        moved = {change.path for change in diffs[at + 1]}
        kept = {change.path for change in diffs[at + 2]}
        own.update({p: c for p, c in theirs.items() if p not in ours and p in moved and p not in kept})
    return Own(commit, [change for path, change in sorted(own.items()) if path not in brought], brought)
