"""Weigh a new plan against going on, with the arithmetic."""

from __future__ import annotations

import os.path
from collections.abc import Iterator

from passdown.model.packet import HoldPart
from passdown.model.policy import HoldLimits
from passdown.rules.amount import amount
from passdown.rules.hold_facts import Found, HoldFacts, Replan
from passdown.rules.patterns import lazy

SIGNS = 6
USUAL = HoldLimits()
_NAME = lazy(r"[\w.-]+")
_KNOWN_BASE = ("merge base with ", "HEAD has nothing over ")


def replan_cheaper(facts: HoldFacts) -> Found | None:
    """HOLD when three or more of the six signs reach their limits."""
    signs, limit = list(passed(facts)), facts.limits.replan_signs
    if len(signs) < limit:
        return None
    name = (facts.packet.packet or "")[:7]
    told = "; ".join(sign.fact for sign in signs)
    fact = f"{told}: {len(signs)} of {SIGNS} reached, limit {limit}"
    return Found("hold", fact, f"passdown show {name} --json", f'passdown start "..." --from {name}', signs)


def passed(facts: HoldFacts) -> Iterator[HoldPart]:
    """One part for each sign that reaches its limit; what was not measured reaches none."""
    replan, limits = facts.replan, facts.limits
    show = f"passdown show {(facts.packet.packet or '')[:7]}".rstrip()
    if (replan.tries or 0) >= limits.replan_tries:
        runs = f"passdown log --check {replan.check}" if _NAME.fullmatch(replan.check) else show
        tries = amount(replan.tries or 0, "try", "tries")
        fact = f"{replan.tried or 'one check'}: {tries}, same error{_own(limits.replan_tries, USUAL.replan_tries)}"
        yield HoldPart(fact=fact, reproduce=runs)
    if replan.changed_upstream and 100 * replan.changed_upstream >= limits.replan_upstream * replan.boundary_files:
        yield _upstream(facts)
    if (replan.contradicted or 0) >= limits.replan_statements:
        false = amount(replan.contradicted or 0, "statement")
        yield HoldPart(fact=f"{false} not so (limit {limits.replan_statements})", reproduce=show)
    if len(replan.architecture) >= limits.replan_questions:
        answer = f'passdown note --answer {replan.architecture[0]} "..."'
        yield HoldPart(fact=f"open architecture question {', '.join(replan.architecture)}", reproduce="", lifts=answer)
    if replan.failing is not None and replan.failing_before is not None and replan.failing > replan.failing_before:
        failing = amount(replan.failing, "failing check")
        yield HoldPart(fact=f"{failing}, {replan.failing_before} in the packet before", reproduce=show)
    if replan.age_days is not None and replan.age_days >= limits.replan_days:
        fact = f"{amount(int(replan.age_days), 'day')} old (limit {limits.replan_days})"
        yield HoldPart(fact=fact, reproduce=show)


def _own(limit: int, usual: int, unit: str = "") -> str:
    """A limit that the policy set, where the screen says none of its own."""
    return "" if limit == usual else f" (limit {limit}{unit})"


def _upstream(facts: HoldFacts) -> HoldPart:
    """How many of the boundary's files the base branch changed, and the command that shows them."""
    replan: Replan = facts.replan
    place, moved = facts.packet.place, list(facts.drift.base_paths)
    name = next((place.base_because.removeprefix(k) for k in _KNOWN_BASE if place.base_because.startswith(k)), "")
    where = f"changed on {name}" if name else "changed upstream"
    folder = os.path.commonpath([path.rpartition("/")[0] for path in moved]) if moved else ""
    only = f" -- {folder}/" if _NAME.fullmatch(folder.replace("/", "")) else ""
    command = f"git diff {place.base[:7]}..{name}{only}" if place.base and name else "git status --branch"
    limit = _own(facts.limits.replan_upstream, USUAL.replan_upstream, " %")
    return HoldPart(
        fact=f"{replan.changed_upstream} of {replan.boundary_files} boundary files {where}{limit}", reproduce=command
    )
