"""Which packet `resume` takes (cases C1, C4, C5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passdown.model.packet import Packet
from passdown.rules.task import Stated, TaskView


@dataclass(frozen=True, slots=True)
class Here:
    """Where and when one asks; ``now`` ISO 8601, ``tree`` the worktree's snapshot."""

    worktree_id: str
    branch: str | None
    tree: str
    now: str
    max_age_days: float = 14.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The packet to resume (None: ``because`` says why) and those passed over, each with its reason."""

    packet: Stated[Packet] | None
    because: str
    passed_over: list[tuple[str, str]]


def choose(tasks: Mapping[str, TaskView], here: Here) -> Chosen:
    """The newest valid packet of this worktree's lineage; older ones of its task are SUPERSEDED."""
    raise NotImplementedError
