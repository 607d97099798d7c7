"""Reads two versions of test files and says what the rules find, as ``kind/rule``."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from passdown.checks.integrity.languages import dialect_of
from passdown.checks.integrity.reading import read
from passdown.rules.integrity.files import Code, Pair, compare
from passdown.rules.integrity.shapes import Finding


def findings(before: Mapping[str, str], after: Mapping[str, str], gone: frozenset[str] = frozenset()) -> list[Finding]:
    """What became of the tests in these files."""
    pairs = []
    for path in sorted({*before, *after}):
        dialect = dialect_of(path)
        assert dialect is not None
        sides = [read(dialect, path, files[path].encode()) if path in files else None for files in (before, after)]
        pairs.append(Pair(path, *sides))
    return [replace(f, content="") for f in compare(pairs, Code(gone))]


def found(path: str, before: str, after: str) -> set[str]:
    """The kinds and rules of one file's findings."""
    return {f"{f.kind}/{f.rule}" for f in findings({path: before}, {path: after})}


def grave(path: str, before: str, after: str) -> list[str]:
    """Those that nobody should go on over."""
    return [f"{f.kind}/{f.rule}: {f.was} -> {f.now}" for f in findings({path: before}, {path: after}) if f.blocks]
