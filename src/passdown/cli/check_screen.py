"""One run of a check on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.output import plain
from passdown.model.evidence import Evidence
from passdown.rules.freshness import listed

if TYPE_CHECKING:
    from passdown.checks.known import Known


def row(evidence: Evidence) -> str:
    """Result first, then the numbers, what failed and what a reader must know."""
    counts = ", ".join(f"{number} {name}" for name, number in evidence.tests.items() if number)
    facts = [counts, f"exit {evidence.exit}" if evidence.exit is not None else "", f"{evidence.seconds:.1f} s"]
    line = f"{evidence.result:<13}{plain(evidence.check)}   {', '.join(fact for fact in facts if fact)}"
    if evidence.failing:
        line += f"   {plain(evidence.failing[0])}" + (f" +{len(evidence.failing) - 1}" if evidence.failing[1:] else "")
    return line


def remarks(evidence: Evidence) -> list[str]:
    """The first error line and the warnings."""
    lines = [plain(evidence.error_line)] if evidence.error_line else []
    lines += [plain(warning) for warning in evidence.warnings]
    if evidence.changed_inputs:
        lines.append(f"changed while it ran: {', '.join(plain(path) for path in evidence.changed_inputs[:3])}")
    return lines


def stands(known: Known | None) -> list[str]:
    """Why the run does not count yet, and how a person makes it count; [] where the definition is accepted."""
    if known is None or known.accepted:
        return []
    name = plain(known.definition.name)
    if known.declared:
        changed = ", ".join(plain(part) for part in listed(known.changed)) or "how it runs"
        since = "differs from the base" if known.definition.source == "policy" else "changed since it was confirmed"
        why = f"counts as seen, not as passed: {changed} {since}"
    else:
        why = "counts as seen, not as passed: nobody confirmed this check yet"
    return [why, f"a person makes it count: passdown check --confirm {name}"]
