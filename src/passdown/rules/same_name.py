"""Two names that some file system takes for one (case L3)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from passdown.rules.changes import PathChange, Violation
from passdown.rules.match import normalise


def same_names(changes: Sequence[PathChange], paths: Collection[str]) -> Iterator[Violation]:
    """New paths (or folders of theirs) that equal another one after case folding or NFC."""
    new = [change for change in changes if change.op == "added"]
    if not new:
        return
    gone = {change.path for change in changes if change.op == "deleted"}
    spelled: dict[str, set[str]] = {}
    for path in {*paths, *(change.path for change in changes)} - gone:
        for prefix in _prefixes(path):
            spelled.setdefault(normalise(prefix, fold_case=True), set()).add(prefix)
    for change in new:
        for prefix in _prefixes(change.path):
            others = spelled[normalise(prefix, fold_case=True)] - {prefix}
            if others:
                because = f"the same name as {min(others)} where case or accents are folded"
                yield Violation(path=change.path, op=change.op, rule="same-name", because=because)
                break


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
