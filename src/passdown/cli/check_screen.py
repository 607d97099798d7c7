"""One run of a check on one line."""

from __future__ import annotations

from passdown.cli.output import plain
from passdown.model.evidence import Evidence


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
