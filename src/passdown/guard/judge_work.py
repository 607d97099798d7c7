"""One judgement over a run's or a range's changes: in sum, commit by commit, staged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from passdown.guard.work import Stretch, Work, path_changes
from passdown.model.boundary import Boundary, Budget
from passdown.model.policy import Derived
from passdown.rules.judge import Context, Violation, judge
from passdown.workspace import diff
from passdown.workspace.place import Place

_LINK = "120000"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What lies outside, each path and rule once, and what a reader should know."""

    violations: list[Violation]
    notes: list[str] = field(default_factory=list)


def judge_work(place: Place, boundary: Boundary, work: Work, derived: Sequence[Derived] = ()) -> Judgement:
    """Every violation; one that a later commit took back is told with the commit that made it."""
    listing = diff.list_tree(place, work.tree)
    links = {path: _text(place, blob) for path, (mode, blob) in listing.items() if mode == _LINK}
    context = Context(derived=derived, paths=tuple(listing), links=links)
    seen: set[tuple[str, str]] = set()
    found: list[Violation] = []
    for stretch in work.stretches:
        for violation in _of(place, boundary, stretch, context):
            if (violation.path, violation.rule) not in seen:
                seen.add((violation.path, violation.rule))
                found.append(violation)
    return Judgement([*found, *work.surface], work.notes)


def _of(place: Place, boundary: Boundary, stretch: Stretch, context: Context) -> Iterator[Violation]:
    changes = path_changes(place, stretch.changes)
    if not stretch.where:
        yield from judge(boundary, changes, context)
        return
    # The limits on files and lines bound the work as a whole; a part is asked for its paths alone.
    parts = msgspec.structs.replace(boundary, budget=Budget(new=boundary.budget.new))
    for violation in judge(parts, changes, replace(context, paths=[c.path for c in changes])):
        yield Violation(violation.path, violation.op, violation.rule, f"{violation.because} ({stretch.where})")


def _text(place: Place, blob: str) -> str:
    return diff.read_blob(place, blob, 4096).decode("utf-8", "surrogateescape")
