"""GO, WATCH or HOLD: coded reasons, each with its fact, how to see it, and what lifts it (semantics: section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.event import Lifted
from passdown.model.packet import Hold, HoldLevel, HoldReason, HoldState
from passdown.rules.hold_facts import Drift, Found, HoldFacts, Replan
from passdown.rules.hold_table import REASONS

__all__ = ["Drift", "HoldFacts", "Replan", "compute"]


def compute(facts: HoldFacts) -> Hold:
    """The hold with every active reason, the gravest first; lifted and ignored ones are left out."""
    reasons = []
    for code, ask in REASONS:
        found = ask(facts)
        if found is None or _lifted(code, found, facts.lifts):
            continue
        level = facts.levels.get(code) or facts.kind_holds.get(code, found.level)
        if level != "ignore":
            name = short(facts)
            lifts = found.lifts or f'passdown lift {name} --because "..."'
            reasons.append(
                HoldReason(
                    code=code,
                    level=level,
                    fact=found.fact,
                    reproduce=found.reproduce,
                    lifts=lifts,
                    parts=list(found.parts),
                )
            )
    reasons.sort(key=lambda reason: reason.level != "hold")
    return Hold(state=_state([reason.level for reason in reasons]), reasons=reasons)


def short(facts: HoldFacts) -> str:
    """The packet's short name in commands."""
    return (facts.packet.packet or "")[:7]


def _state(levels: Sequence[HoldLevel]) -> HoldState:
    if "hold" in levels:
        return "HOLD"
    return "WATCH" if "watch" in levels else "GO"


def _lifted(code: str, found: Found, lifts: Sequence[Lifted]) -> bool:
    """Whether a person released this very fact; a new fact of the same code holds again."""
    return any((not lift.codes or code in lift.codes) and found.fact in lift.facts for lift in lifts)
