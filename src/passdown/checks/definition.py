"""What a check is: its declaration and everything in the repository that says what the command does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition


class Defined(msgspec.Struct, frozen=True):
    """A definition in one tree: ``parts`` maps ``declaration`` and each indirection to its digest.

    ``paths`` are the repository files among the parts: inputs under every tier.
    """

    definition: CheckDefinition
    parts: Mapping[str, str]
    paths: frozenset[str] = msgspec.field(default_factory=frozenset)

    @property
    def digest(self) -> str:
        """Sha256 hex over all parts."""
        return self.definition.digest


def define(view: TreeView, definition: CheckDefinition) -> Defined:
    """The definition with its digest in this tree."""
    from passdown.checks.meaning import digest_of, meaning  # noqa: PLC0415 - where no check is known nobody pays for it

    parts, paths = meaning(view, definition)
    return Defined(msgspec.structs.replace(definition, digest=digest_of(parts)), parts, paths)


def changed_parts(old: Defined, new: Defined) -> Sequence[str]:
    """Names of the parts that differ, sorted."""
    return sorted(k for k in old.parts.keys() | new.parts.keys() if old.parts.get(k) != new.parts.get(k))


def same(old: tuple[TreeView, Defined], new: tuple[TreeView, Defined]) -> list[str]:
    """Parts that differ in more than line endings (a checkout may rewrite those)."""
    changed = changed_parts(old[1], new[1])
    pairs = [(part, _content(old[0], part), _content(new[0], part)) for part in changed]
    return [part for part, before, after in pairs if before is None or before != after]


def _content(view: TreeView, part: str) -> tuple[str, bytes] | None:
    if part not in view:
        return None
    return view.entries[part][0], (view.read(part) or b"").replace(b"\r\n", b"\n")
