"""Every check that this worktree knows, and whether a person stands behind its definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passdown.checks.definition import Defined
from passdown.checks.tree import TreeView
from passdown.model.event import Record
from passdown.model.evidence import CheckDefinition
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules.classify import Trust


@dataclass(frozen=True, slots=True)
class Known:
    """``accepted``: the base policy's definition, or one that a person confirmed with this digest."""

    defined: Defined
    accepted: bool
    because: str

    @property
    def definition(self) -> CheckDefinition:
        """The definition with today's digest."""
        return self.defined.definition


def known(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    trust: Trust,
    facts: SessionFacts | None = None,
) -> list[Known]:
    """Declared checks first, then confirmed ones, then candidates, each name once."""
    raise NotImplementedError
