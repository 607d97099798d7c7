"""One judgement over a run's or a range's changes: in sum, commit by commit, staged."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.guard.as_judged import LINK_LIMIT, as_judged, for_a_part
from passdown.guard.work import Stretch, Work
from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.rules.changes import SYMLINK
from passdown.rules.judge import Context, Violation, judge
from passdown.workspace import diff
from passdown.workspace.place import Place


class Judgement(msgspec.Struct, frozen=True):
    """What lies outside, each path and rule once, and what a reader should know."""

    violations: list[Violation]
    notes: list[str] = msgspec.field(default_factory=list)


def judge_work(place: Place, boundary: Boundary, work: Work, derived: Sequence[Derived] = ()) -> Judgement:
    """Every violation; one that a later commit took back is told with the commit that made it."""
    listing = diff.list_tree(place, work.tree)
    there = {path: blob for path, (mode, blob) in listing.items() if mode == SYMLINK}
    texts = _texts(place, work, there.values())
    links = {path: texts[blob] for path, blob in there.items()}
    context = Context(derived=derived, paths=tuple(listing), links=links, changed=_changed(work))
    seen: set[tuple[str, str]] = set()
    found: list[Violation] = []
    for stretch in work.stretches:
        for violation in _of(boundary, stretch, texts, context):
            if (violation.path, violation.rule) not in seen:
                seen.add((violation.path, violation.rule))
                found.append(violation)
    return Judgement([*found, *work.surface], work.notes)


def _changed(work: Work) -> set[str]:
    """All paths of the sum: a file that is generated from one of them may be committed on its own."""
    return {change.path for stretch in work.stretches if not stretch.where for change in stretch.changes}


def _of(boundary: Boundary, stretch: Stretch, texts: Mapping[str, str], context: Context) -> Iterator[Violation]:
    changes = [as_judged(change, texts) for change in stretch.changes]
    if not stretch.where:
        yield from judge(boundary, changes, context)
        return
    for violation in judge(
        for_a_part(boundary), changes, msgspec.structs.replace(context, paths=[c.path for c in changes])
    ):
        yield Violation(violation.path, violation.op, violation.rule, f"{violation.because} ({stretch.where})")


def _texts(place: Place, work: Work, there: Iterable[str]) -> dict[str, str]:
    """Blob -> text of every symbolic link that the work or its tree holds."""
    wanted = {c.new_blob for stretch in work.stretches for c in stretch.changes if c.new_mode == SYMLINK}.union(there)
    found = diff.read_blobs(place, wanted, LINK_LIMIT)
    missing = wanted - found.keys()
    if missing:
        raise PassdownError(f"content is not in this clone: {min(missing)[:12]}", code=EXIT_UNDECIDED)
    return {blob: os.fsdecode(text) for blob, text in found.items()}
