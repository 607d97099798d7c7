"""A boundary compiled for asking: one path at a time, no counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from passdown.model.boundary import Boundary, Entry
from passdown.model.paths import from_wire
from passdown.rules.match import Matcher, normalise
from passdown.rules.patterns import lazy
from passdown.rules.protect import protected

_GLOB = frozenset("*?[")
_ESCAPED = lazy(r"\\(.)")


class Decision(Struct, frozen=True):
    """Whether the path may be written; ``rule`` as in a violation, or the allowing entry's id (B1)."""

    inside: bool
    rule: str
    because: str


class Asked(Struct, frozen=True):
    """The boundary's compiled patterns; ``folders`` are those of allowed files, where a new file may lie."""

    boundary: Boundary
    allow: Matcher
    deny: Matcher
    folders: frozenset[str]
    always: Sequence[str] = ()

    @classmethod
    def of(cls, boundary: Boundary, *, fold_case: bool = False, always: Sequence[str] = ()) -> Asked:
        """Compile; PassdownError names a bad pattern."""
        allow = Matcher.compile(patterns(boundary.allow), fold_case=fold_case)
        deny = Matcher.compile(patterns(boundary.deny), fold_case=fold_case)
        folders = (folder_of(pattern) for pattern in allow.patterns)
        known = frozenset(normalise(f, fold_case=fold_case) for f in folders if f is not None)
        return cls(boundary, allow, deny, known, always)

    def decide(self, path: str) -> Decision:
        """Protected, denied, allowed or not listed; a trailing ``/`` says that the path is a folder."""
        why = protected(path, self.boundary.opened, self.always)
        if why is not None:
            return Decision(inside=False, rule="protected", because=why)
        denied = self.deny.matches(path)
        if denied is not None:
            return _by(self.boundary.deny[denied], inside=False)
        allowed = self.allow.matches(path)
        if allowed is not None:
            return _by(self.boundary.allow[allowed], inside=True)
        return Decision(inside=False, rule="outside", because="not listed in the boundary")

    def beside(self, path: str) -> bool:
        """Whether the path lies in the folder of an allowed file and the budget knows new files at all."""
        folder = normalise(path, fold_case=self.allow.fold_case).rpartition("/")[0]
        return bool(self.boundary.budget.new) and folder in self.folders


def patterns(entries: Iterable[Entry]) -> list[str]:
    """The entries' patterns with the bytes that the wire could not carry."""
    return [from_wire(entry.path, entry.path_b64) for entry in entries]


def folder_of(pattern: str) -> str | None:
    """The folder of the file that the pattern names; None where it names a folder, any folder or a glob of folders."""
    if pattern.endswith(("/", "/**")) or "/" not in pattern:
        return None
    folder = pattern.lstrip("/").rpartition("/")[0]
    return None if _GLOB & set(_ESCAPED.sub("", folder)) else _ESCAPED.sub(r"\1", folder)


def _by(entry: Entry, *, inside: bool) -> Decision:
    return Decision(inside=inside, rule=entry.id, because=f"{entry.path}: {entry.because}")
