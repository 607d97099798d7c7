"""Which checks `pack` and `resume` re-run by themselves."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from passdown.checks.known import Known
from passdown.model.evidence import CheckDefinition
from passdown.model.packet import PacketCheck
from passdown.rules.integrity.touch import acceptable

BUDGET = 60.0
"""Seconds."""


def quick(checks: Sequence[PacketCheck], known: Sequence[Known], budget: float = BUDGET) -> list[CheckDefinition]:
    """Declared or confirmed checks that ran here before and last took under ``budget`` seconds in total.

    Failing ones first, then the shortest; what passes on this code already is left out. One that now
    takes longer than the whole budget is ended: nobody asked for it.
    """
    mine = {k.definition.name: k.definition for k in known if k.declared}
    wanted = [c for c in checks if c.name in mine and c.seconds is not None and not _passes(c)]
    chosen: list[CheckDefinition] = []
    left = budget
    for check in sorted(wanted, key=lambda c: (c.result == "PASSED", c.seconds, c.name)):
        if check.seconds is not None and check.seconds < left:
            left -= check.seconds
            definition = mine[check.name]
            chosen.append(msgspec.structs.replace(definition, timeout=min(definition.timeout or budget, budget)))
    return chosen


def _passes(check: PacketCheck) -> bool:
    """Whether running it again could say nothing new."""
    return check.class_ == "VERIFIED" or acceptable(check)
