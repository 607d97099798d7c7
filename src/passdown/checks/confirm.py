"""A person confirms a candidate once; a changed definition needs it again."""

from __future__ import annotations

from collections.abc import Iterable

from passdown.checks.tree import TreeView
from passdown.model.event import CheckConfirmed, Record
from passdown.model.evidence import CheckDefinition
from passdown.rules.classify import Trust


def confirm(view: TreeView, definition: CheckDefinition, by: str) -> CheckConfirmed:
    """The statement to append: the definition as it is in this tree."""
    raise NotImplementedError


def confirmed(records: Iterable[Record], trust: Trust) -> dict[str, list[CheckDefinition]]:
    """Name -> definitions that a person confirmed here (or in a vouched clone), the newest last."""
    raise NotImplementedError
