"""Counting: new files beside the allowed ones, changed files, changed lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.model.boundary import Budget
from passdown.rules.amount import amount
from passdown.rules.changes import PathChange, Violation


def over_budget(budget: Budget, changes: Sequence[PathChange]) -> Iterator[Violation]:
    """The budgets that the changes together exceed; lines of binary files count as none."""
    if budget.files is not None and len(changes) > budget.files:
        because = f"{amount(len(changes), 'file')} changed, the budget is {budget.files}"
        yield Violation(path=".", op="modified", rule="budget-files", because=because)
    lines = sum((change.added or 0) + (change.removed or 0) for change in changes)
    if budget.lines is not None and lines > budget.lines:
        because = f"{amount(lines, 'line')} changed, the budget is {budget.lines}"
        yield Violation(path=".", op="modified", rule="budget-lines", because=because)


def too_many_new(budget: Budget, beside: Sequence[PathChange]) -> Iterator[Violation]:
    """Those new files, in path order, that come after the last one that the budget allows."""
    allowed = budget.new or 0
    for change in sorted(beside, key=lambda c: c.path)[allowed:]:
        because = f"{amount(len(beside), 'new file')} beside the allowed ones, the budget is {allowed}"
        yield Violation(path=change.path, op=change.op, rule="new", because=because)
