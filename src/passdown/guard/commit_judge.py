"""A commit before it is made, and commits before they leave: judged by the one engine, from the hook's own rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

import msgspec

from passdown.errors import PassdownError
from passdown.guard.as_judged import LINK_LIMIT, as_judged, for_a_part, is_link
from passdown.guard.hook.rules import Rules
from passdown.guard.lineage import Start
from passdown.guard.pushed import leaving
from passdown.guard.staged import listed, staged
from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.rules.changes import SYMLINK, Violation
from passdown.rules.judge import Context, judge
from passdown.workspace import diff, history, reflog
from passdown.workspace.diff import Change
from passdown.workspace.place import Place

Listing = Mapping[str, tuple[str, str]]
"""Path -> (mode, blob)."""
# Git is in the middle of these; what it commits then was made elsewhere, or will be judged as a whole.
_UNDER_WAY = frozenset({"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer"})


def under_way(place: Place) -> bool:
    """Whether a merge, rebase, cherry-pick or revert goes on."""
    return any((place.git_dir / name).exists() for name in _UNDER_WAY)


def judge_index(place: Place, rules: Rules, index: str | None) -> list[Violation]:
    """What the commit would bring that lies outside; ``index``: the one that git commits from."""
    changes = staged(place, index)
    return _judged(place, rules, changes, lambda: listed(place, index), [*changes, *_since(place, rules, changes)])


def judge_own_commits(place: Place, rules: Rules, tips: Sequence[str] = ()) -> list[tuple[str, Violation]]:
    """``(commit, violation)`` for what this worktree committed since the boundary was armed and HEAD still holds.

    ``tips``: what is to be pushed; of what HEAD does not hold the work's own counts too.
    Merges are left to :mod:`passdown.guard.merges`: what they bring in was made elsewhere.
    """
    armed_at = rules.stored["head"]
    if place.head is None:
        return []
    head = place.head
    own = leaving(place, Start("", armed_at, int(rules.stored["moves"])), rules.key[1:] or None, tips)
    if head != armed_at:
        made = reflog.made_here(place, rules.stored["moves"])
        over = history.commits(place, [head], [armed_at] if armed_at else [])
        own += [commit for commit in over if commit.id in made and len(commit.parents) <= 1]
    if not own:
        return []
    trees = history.trees_of(place, [parent for commit in own for parent in commit.parents])
    pairs = [(trees.get((commit.parents or ("",))[0], ""), commit.tree) for commit in own]
    each = list(zip(own, diff.tree_diffs(place, pairs), strict=True))
    whole = [change for _, changes in each for change in changes]

    def there() -> Listing:
        return diff.list_tree(place, head)

    return [(commit.id, found) for commit, changes in each for found in _judged(place, rules, changes, there, whole)]


def judge_sum(place: Place, rules: Rules, changes: Sequence[Change], tree: str) -> list[Violation]:
    """What lies outside of all that a run changed up to ``tree``."""
    return _judged(place, rules, changes, lambda: diff.list_tree(place, tree), changes)


def _judged(
    place: Place, rules: Rules, changes: Sequence[Change], there: Callable[[], Listing], whole: Sequence[Change]
) -> list[Violation]:
    """As the one engine says; ``there``: the files that the change ends in, asked for where they matter.

    ``whole``: all that the work changed, these are a part of it. What the boundary let appear before is inside.
    """
    boundary = for_a_part(msgspec.convert(rules.stored["wire"], Boundary))
    derived = [Derived(path=path, from_=source) for path, source in rules.stored["sources"]]
    new = {change.path for change in changes if change.status == "added"}
    made = set(rules.stored["made"]) - new
    links, names = any(is_link(change) for change in changes), any(change.status == "added" for change in changes)
    listing = there() if links or names else {}
    blobs = {blob for mode, blob in listing.values() if mode == SYMLINK} if links else set()
    found = diff.read_blobs(place, blobs.union(c.new_blob for c in changes if is_link(c)), LINK_LIMIT)
    texts = {blob: os.fsdecode(text) for blob, text in found.items()}
    context = Context(
        derived=derived,
        paths=tuple(listing) or [change.path for change in changes],
        links={path: texts[blob] for path, (mode, blob) in listing.items() if mode == SYMLINK and blob in texts},
        changed=[change.path for change in whole],
        made=[path for path in made if path in listing],
    )
    asked = [as_judged(change, texts) for change in changes if change.path not in made]
    # A name that is gone again stands beside nothing.
    violations = [v for v in judge(boundary, asked, context) if v.rule != "same-name" or v.path in listing]
    return _without_ours(place, violations, changes)


def _without_ours(place: Place, violations: list[Violation], changes: Sequence[Change]) -> list[Violation]:
    """Without the settings that `passdown init` wrote, as it wrote them."""
    if not any(violation.rule == "protected" for violation in violations):
        return violations
    from passdown.guard import installation  # noqa: PLC0415 - hashes, in what every commit runs

    files = (installation.remembered(place) or installation.Installed()).files
    blobs = {put.path: installation.blob_id(place, put.after) for put in files}
    ours = {change.path for change in changes if blobs.get(change.path) == change.new_blob}
    return [violation for violation in violations if violation.path not in ours]


def _since(place: Place, rules: Rules, changes: Sequence[Change]) -> list[Change]:
    """What was committed since the boundary was armed; [] where no generated file asks for it."""
    armed_at = rules.stored["head"]
    if not rules.stored["sources"] or not armed_at or not changes or place.head in (None, armed_at):
        return []
    try:
        return diff.tree_diff(place, armed_at, place.head or "")
    except PassdownError:  # that commit is gone
        return []
