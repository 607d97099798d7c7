"""Weigh a new plan against going on, with the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator

from passdown.rules.hold_facts import Found, HoldFacts, Replan

TRIES = 3
UPSTREAM_SHARE = 0.5
CONTRADICTED = 2
AGE_DAYS = 7.0
LIMIT = 3
SIGNS = 6


def replan_cheaper(facts: HoldFacts) -> Found | None:
    """HOLD when three or more of the six signs pass their thresholds."""
    signs = list(passed(facts.replan))
    if len(signs) < LIMIT:
        return None
    name = (facts.packet.packet or "")[:7]
    fact = f"{'; '.join(signs)}: {len(signs)} of {SIGNS} signs, limit {LIMIT}"
    return Found("hold", fact, f"passdown show {name} --json", f'passdown start "..." --from {name}')


def passed(replan: Replan) -> Iterator[str]:
    """One line for each sign that passes its threshold; what was not measured passes none."""
    if (replan.tries or 0) >= TRIES:
        yield f"{replan.tried or 'one check'}: {replan.tries} tries, no progress (limit {TRIES})"
    if replan.changed_upstream and replan.changed_upstream >= UPSTREAM_SHARE * replan.boundary_files:
        yield f"{replan.changed_upstream} of {replan.boundary_files} boundary files changed upstream (limit 50 %)"
    if (replan.contradicted or 0) >= CONTRADICTED:
        yield f"{replan.contradicted} claims contradicted (limit {CONTRADICTED})"
    if replan.architecture:
        yield f"open architecture question {', '.join(replan.architecture)} (limit 1)"
    if replan.failing is not None and replan.failing_before is not None and replan.failing > replan.failing_before:
        yield f"{replan.failing} failing checks, {replan.failing_before} in the previous packet"
    if replan.age_days is not None and replan.age_days >= AGE_DAYS:
        yield f"{replan.age_days:.0f} days old (limit {AGE_DAYS:.0f})"
