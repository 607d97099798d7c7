"""One run of a check on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.output import plain
from passdown.model.evidence import Evidence
from passdown.rules.freshness import listed

if TYPE_CHECKING:
    from passdown.checks.known import Known
    from passdown.model.event import Compared
    from passdown.model.packet import PacketCheck

_WHEN = {
    "STALE": "before the last edit",
    "ENVIRONMENT-CHANGED": "in another environment",
    "DEFINITION-CHANGED": "as another check",
    "EXPIRED": "too long ago",
    "UNBOUND": "bound to no snapshot",
}
_ORIGINS = ("REGRESSION", "PRE-EXISTING", "UNKNOWN")
_ISOLATED = {
    "mounted": "ran on a frozen copy in the worktree's place: no edit reached it; git-ignored files were not there, "
    "dependency folders were read-only",
    "beside": "ran on a frozen copy in a folder of its own: absolute paths still lead to the worktree, so any edit of "
    "that makes it UNSTABLE; git-ignored files were not there, dependency folders were links",
}


def row(evidence: Evidence, *, flaky: bool = False) -> str:
    """Result first, then the numbers, what failed and what a reader must know."""
    counts = ", ".join(f"{number} {name}" for name, number in evidence.tests.items() if number)
    facts = [counts, f"exit {evidence.exit}" if evidence.exit is not None else "", f"{evidence.seconds:.1f} s"]
    result = "FLAKY" if flaky else evidence.result
    line = f"{result:<13}{plain(evidence.check)}   {', '.join(fact for fact in facts if fact)}"
    if evidence.failing:
        line += f"   {plain(evidence.failing[0])}" + (f" +{len(evidence.failing) - 1}" if evidence.failing[1:] else "")
    return line


def remarks(evidence: Evidence, there: Compared | None = None) -> list[str]:
    """The first error line, whether the base fails too, and the warnings."""
    lines = [plain(evidence.error_line)] if evidence.error_line else []
    lines += _origin(there, evidence) if there is not None else []
    if evidence.warnings:
        from passdown.packet.words import caution

        lines += [said for warning in evidence.warnings if (said := caution(warning)) not in lines]
    unnamed = [path for path in evidence.changed_inputs if not any(path in said for said in evidence.warnings)]
    if unnamed:
        lines.append(f"changed while it ran: {', '.join(plain(path) for path in unnamed[:3])}")
    if evidence.isolated is not None:
        lines.append(_ISOLATED[evidence.isolated])
    return lines


def _origin(there: Compared, evidence: Evidence) -> list[str]:
    """One line, and the tests of each kind where they differ."""
    lines = [f"{there.origin}: {plain(there.because)}   (base {there.base[:7]})"]
    kinds = {kind: [n for n in evidence.failing if there.tests.get(n) == kind] for kind in _ORIGINS}
    if sum(bool(names) for names in kinds.values()) > 1:
        for kind, names in kinds.items():
            more = f" +{len(names) - 1}" if names[1:] else ""
            lines += [f"{kind:<14}{plain(names[0])}{more}"] if names else []
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


def standing_words(check: PacketCheck) -> str:
    """How a check stands on the worktree as it is: its latest result, and why it does not count where it does not."""
    if check.result is None:
        return "never ran here"
    origin = f" ({check.origin})" if check.origin else ""
    from passdown.packet.tests_words import remarks as remarks_on_tests
    from passdown.rules.open_now import passes_now

    if passes_now(check):
        stands_on = ", ".join(remarks_on_tests(check))
        return "passes on this code" + (f"; {stands_on}" if check.accepted else "")
    said = check.freshness.because if check.freshness.state != "FRESH" else check.not_verified
    why = f"; {', '.join(plain(one) for one in listed(said, 3))}" if said else ""
    when = _WHEN.get(check.freshness.state, "ran on this code")
    return f"{check.result}{origin}, {when}{why}"
