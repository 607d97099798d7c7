"""Which checks `pack` and `resume` re-run by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.checks.known import Known
from passdown.model.evidence import CheckDefinition
from passdown.model.packet import PacketCheck

BUDGET = 60.0


def quick(checks: Sequence[PacketCheck], known: Sequence[Known], budget: float = BUDGET) -> list[CheckDefinition]:
    """Declared or confirmed checks that ran here before and last took under ``budget`` seconds in total.

    Failing ones first; what passes on this code already is left out.
    """
    raise NotImplementedError
