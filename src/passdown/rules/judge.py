"""The one engine: which changes lie outside a boundary (semantics: section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.rules.budget import over_budget, too_many_new
from passdown.rules.changes import GITLINK, SYMLINK, Op, PathChange, Violation
from passdown.rules.decide import Asked, Decision
from passdown.rules.links import leads_to
from passdown.rules.match import Matcher
from passdown.rules.same_name import same_names

__all__ = ["Context", "Op", "PathChange", "Violation", "judge"]


class Context(Struct, frozen=True):
    """What the engine must know besides boundary and changes.

    ``paths``: every path of the new tree (for names that coincide); ``links``: its symbolic links and their texts;
    ``always``: further patterns that nobody may open (hooks of ours inside the worktree). ``changed``: paths that the
    work changed besides, as far as these changes are a part of it; ``made``: new files beside that it made before.
    """

    derived: Sequence[Derived] = ()
    fold_case: bool = False
    paths: Collection[str] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    always: Sequence[str] = ()
    changed: Collection[str] = ()
    made: Sequence[str] = ()


def judge(boundary: Boundary, changes: Sequence[PathChange], context: Context | None = None) -> list[Violation]:
    """Every violation, in path order; [] means that all changes lie inside."""
    context = context or Context()
    asked = Asked.of(boundary, fold_case=context.fold_case, always=context.always)
    decided = [(change, _decide(asked, change)) for change in changes]
    beside = [c for c, d in decided if d.rule == "outside" and c.op == "added" and asked.beside(c.path)]
    before = [PathChange(path, "added") for path in context.made]
    found = list(too_many_new(boundary.budget, [*before, *beside]))
    sources = [path for path in context.changed if context.derived and asked.decide(path).inside]
    spared = {change.path for change in beside} | _derived(decided, context, sources)
    for change, decision in decided:
        if not decision.inside and change.path not in spared:
            found.append(_violation(change, decision.rule, decision.because))
        elif change.new_mode == SYMLINK:
            found.extend(_escape(asked, change, context.links))
    found.extend(same_names(changes, context.paths))
    found.extend(over_budget(boundary.budget, changes))
    return sorted(found, key=lambda v: (v.path, v.rule))


def _decide(asked: Asked, change: PathChange) -> Decision:
    """A submodule is a folder to a pattern; where it is not listed, its move is a violation of its own."""
    decision = asked.decide(change.path)
    if GITLINK not in (change.old_mode, change.new_mode) or decision.rule != "outside":
        return decision
    as_folder = asked.decide(change.path + "/")
    if as_folder.rule != "outside":
        return as_folder
    return Decision(inside=False, rule="gitlink", because="a submodule moved that the boundary does not list")


def _derived(decided: Sequence[tuple[PathChange, Decision]], context: Context, besides: Sequence[str]) -> set[str]:
    """Generated paths whose source is inside and changed; a bare name means a source in the same folder (case I4)."""
    sources = [*besides, *(change.path for change, decision in decided if decision.inside)]
    spared = set()
    for rule in context.derived:
        to, from_ = (Matcher.compile([p], fold_case=context.fold_case) for p in (rule.path, rule.from_))
        near = "/" not in rule.path and "/" not in rule.from_
        for change, decision in decided:
            if decision.rule != "outside" or to.matches(change.path) is None:
                continue
            folder = change.path.rpartition("/")[0]
            candidates = [s for s in sources if not near or s.rpartition("/")[0] == folder]
            if any(from_.matches(source) is not None for source in candidates):
                spared.add(change.path)
    return spared


def _escape(asked: Asked, change: PathChange, links: Mapping[str, str]) -> Iterator[Violation]:
    """A link that was added or changed and leads out of the boundary."""
    if change.target is None:
        yield _violation(change, "symlink", "a symbolic link whose target could not be read")
        return
    where = leads_to(change.path, change.target, links)
    if where is None:
        yield _violation(change, "symlink", f"a symbolic link that leaves the repository: {change.target}")
        return
    decisions = (asked.decide(where), asked.decide(where + "/"))
    if any(d.rule != "outside" and not d.inside for d in decisions) or not any(d.inside for d in decisions):
        yield _violation(change, "symlink", f"a symbolic link to {where or '.'}, which is outside")


def _violation(change: PathChange, rule: str, because: str) -> Violation:
    return Violation(path=change.path, op=change.op, rule=rule, because=because)
