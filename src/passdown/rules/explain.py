"""Which rule decides one path, and why."""

from __future__ import annotations

from passdown.model.boundary import Boundary
from passdown.rules.amount import amount
from passdown.rules.decide import Asked, Decision
from passdown.rules.judge import Context
from passdown.rules.match import Matcher

__all__ = ["Decision", "explain"]


def explain(boundary: Boundary, path: str, context: Context | None = None, *, exists: bool = True) -> Decision:
    """The deciding rule; ``exists`` False: the path would be a new file, which the budget may allow."""
    context = context or Context()
    path = path.removeprefix("./")
    asked = Asked.of(boundary, fold_case=context.fold_case, always=context.always)
    decision = asked.decide(path)
    if decision.rule != "outside":
        return decision
    for rule in context.derived:
        if Matcher.compile([rule.path], fold_case=context.fold_case).matches(path) is not None:
            because = f"generated: may change when {rule.from_} is inside and changes too"
            return Decision(inside=True, rule="derived", because=because)
    if not exists and asked.beside(path):
        because = f"one of at most {amount(boundary.budget.new or 0, 'new file')} beside the allowed ones"
        return Decision(inside=True, rule="new", because=because)
    return decision
