"""Changes of git's own files, which no tree shows: hooks, settings, info, alternates."""

from __future__ import annotations

from collections.abc import Mapping

from passdown.rules.changes import Violation
from passdown.workspace.control import control_changes


def surface_changes(then: Mapping[str, str], now: Mapping[str, str]) -> tuple[list[Violation], list[str]]:
    """``(violations, notes)``: parts under ``.git`` are always protected; others show in the tree if tracked."""
    violations, notes = [], []
    for part in control_changes(then, now) if then else []:
        op = "added" if part not in then else "deleted" if part not in now else "modified"
        if part.startswith((".git/", "core.hooksPath")):
            violations.append(Violation(part, op, "protected", "git's own settings are never part of the work"))
        else:
            notes.append(f"changed since the start: {part} (decides which commands run or which rules hold)")
    return violations, notes


def cut_reflog(then: int, now: int) -> list[Violation]:
    """HEAD's reflog tells which commits the run made; one that got shorter hides some."""
    if now >= then:
        return []
    because = f"HEAD's history here has {now} entries, had {then}: what the run committed cannot be told"
    return [Violation(".git/logs/HEAD", "modified", "protected", because)]
