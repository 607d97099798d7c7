"""A person confirms a candidate once; a changed definition needs it again."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from passdown.checks.definition import define
from passdown.checks.tree import TreeView
from passdown.model.event import CheckConfirmed, Record
from passdown.model.evidence import CheckDefinition
from passdown.rules.classify import Trust


def confirm(view: TreeView, definition: CheckDefinition, by: str) -> CheckConfirmed:
    """The statement to append: the definition as it is in this tree."""
    own = msgspec.structs.replace(definition, source="confirmed")
    return CheckConfirmed(definition=define(view, own).definition, by=by, tree=view.tree)


def confirmed(records: Iterable[Record], trust: Trust) -> dict[str, list[CheckConfirmed]]:
    """Name -> what persons confirmed here (or in a vouched clone), the newest last."""
    found: dict[str, list[CheckConfirmed]] = {}
    for record in records:
        body = record.body
        if (
            isinstance(body, CheckConfirmed)
            and record.trusted
            and trust.believes(record.writer)
            and trust.sealed(record)
        ):
            found.setdefault(body.definition.name, []).append(body)
    return found
