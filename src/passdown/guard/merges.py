"""What a commit changed by itself; of a merge, what its parents did not bring."""

from __future__ import annotations

from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.place import Place


def own_changes(place: Place, commit: str) -> tuple[list[Change], set[str]]:
    """``(changes, brought)``: what the commit itself changed; the paths that a merge only took over.

    A merge answers for a path where its result is neither parent's, and where it kept one side although only
    the other had changed the path (``merge -s ours`` drops others' work without a trace in its own diff).
    """
    parents = history.parents(place, commit)
    ours = {c.path: c for c in diff.tree_diff(place, parents[0] if parents else "", commit, counts=True)}
    own = dict(ours)
    brought: set[str] = set()
    for other in parents[1:]:
        theirs = {c.path: c for c in diff.tree_diff(place, other, commit, counts=True)}
        brought |= {path for path in ours if path not in theirs}
        fork = history.merge_base(place, parents[0], other)
        moved = {c.path for c in diff.tree_diff(place, fork or "", other)}
        dropped = {path: c for path, c in theirs.items() if path not in ours and path in moved}
        kept = {c.path for c in diff.tree_diff(place, fork or "", parents[0])}
        own.update({path: c for path, c in dropped.items() if path not in kept})
    return [change for path, change in sorted(own.items()) if path not in brought], brought
