"""Which rule decides one path, and why."""

from __future__ import annotations

from dataclasses import dataclass

from passdown.model.boundary import Boundary
from passdown.rules.judge import Context


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the path may be written; ``rule`` as in a violation, or the allowing entry's id (B1)."""

    inside: bool
    rule: str
    because: str


def explain(boundary: Boundary, path: str, context: Context | None = None, *, exists: bool = True) -> Decision:
    """The deciding rule; ``exists`` False: the path would be a new file, which the budget may allow."""
    raise NotImplementedError
