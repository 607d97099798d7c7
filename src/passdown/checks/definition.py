"""What a check is: its declaration and everything in the repository that says what the command does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition in one tree: ``parts`` maps ``declaration`` and each indirection to its digest."""

    definition: CheckDefinition
    parts: dict[str, str]
    paths: tuple[str, ...]
    """Repository files among the parts: they are inputs under every tier."""

    @property
    def digest(self) -> str:
        """sha256 hex over all parts."""
        return self.definition.digest


def define(view: TreeView, definition: CheckDefinition) -> Defined:
    """The definition with its digest in this tree."""
    raise NotImplementedError


def changed_parts(old: Defined, new: Defined, views: tuple[TreeView, TreeView] | None = None) -> Sequence[str]:
    """Names of the parts that differ; with ``views``, line endings alone make no difference."""
    raise NotImplementedError
