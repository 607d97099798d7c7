"""How every known check stands now: its latest result, class and freshness."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from passdown.checks.tree import TreeView
from passdown.model.event import Record
from passdown.model.packet import PacketCheck
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules.classify import Trust


def standing(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    facts: SessionFacts | None,
    *,
    now: datetime,
    trust: Trust,
) -> list[PacketCheck]:
    """Declared, confirmed, run and seen checks in a fixed order; ``origin`` is None; nothing is written or run.

    ``view``: ``TreeView(place, snapshot.tree)``.
    """
    raise NotImplementedError
