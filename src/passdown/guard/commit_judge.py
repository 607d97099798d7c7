"""A commit before it is made, and commits before they leave: judged by the one engine, from the hook's own rules."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from passdown.guard.as_judged import LINK_LIMIT, as_judged, for_a_part, is_link
from passdown.guard.hook.rules import Rules
from passdown.guard.staged import staged
from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.rules.changes import Violation
from passdown.rules.judge import Context, judge
from passdown.workspace import diff, history, reflog
from passdown.workspace.diff import Change
from passdown.workspace.place import Place

# Git is in the middle of these; what it commits then was made elsewhere, or will be judged as a whole.
_UNDER_WAY = frozenset(
    {"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG"}
)


def under_way(place: Place) -> bool:
    """Whether a merge, rebase, cherry-pick or revert goes on."""
    return any((place.git_dir / name).exists() for name in _UNDER_WAY)


def judge_index(place: Place, rules: Rules, index: str | None) -> list[Violation]:
    """What the commit would bring that lies outside; ``index``: the one that git commits from."""
    return judged(place, rules, staged(place, index))


def judge_own_commits(place: Place, rules: Rules) -> list[tuple[str, Violation]]:
    """``(commit, violation)`` for what this worktree committed since the boundary was armed and HEAD still holds.

    Merges are left to :mod:`passdown.guard.merges`: what they bring in was made elsewhere.
    """
    armed_at = rules.stored["head"]
    if place.head is None or place.head == armed_at:
        return []
    made = reflog.made_here(place, rules.stored["moves"])
    over = history.commits(place, [place.head], [armed_at] if armed_at else [])
    own = [commit for commit in over if commit.id in made and len(commit.parents) <= 1]
    trees = history.trees_of(place, [parent for commit in own for parent in commit.parents])
    pairs = [(trees.get((commit.parents or ("",))[0], ""), commit.tree) for commit in own]
    each = zip(own, diff.tree_diffs(place, pairs), strict=True)
    return [(commit.id, found) for commit, changes in each for found in judged(place, rules, changes)]


def judged(place: Place, rules: Rules, changes: Sequence[Change]) -> list[Violation]:
    """What lies outside, as the one engine says; files that the boundary let appear before are inside."""
    boundary = for_a_part(msgspec.convert(rules.stored["wire"], Boundary))
    links = diff.read_blobs(place, [change.new_blob for change in changes if is_link(change)], LINK_LIMIT)
    texts = {blob: os.fsdecode(text) for blob, text in links.items()}
    asked = [as_judged(change, texts) for change in changes if change.path not in rules.stored["made"]]
    derived = [Derived(path=path, from_=source) for path, source in rules.stored["sources"]]
    return judge(boundary, asked, Context(derived=derived, paths=[change.path for change in changes]))
