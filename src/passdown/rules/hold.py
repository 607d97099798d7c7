"""GO, WATCH or HOLD: coded reasons, each with its fact, how to see it, and what lifts it (semantics: section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passdown.model.event import Lifted
from passdown.model.packet import Hold, HoldLevel, Packet
from passdown.model.policy import Mode


@dataclass(frozen=True, slots=True)
class Drift:
    """What moved since the packet: paths that differ, of those the denied ones; base commits, files they touch."""

    tree: Sequence[str] = ()
    denied: Sequence[str] = ()
    base_commits: int | None = None
    base_paths: Sequence[str] = ()
    conflicts: Sequence[str] = ()
    control: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class HoldFacts:
    """What the table looks at; None and empty mean "not known" and give no reason.

    ``packet`` as drafted or sealed; ``age_days`` since it was sealed.
    """

    packet: Packet
    mode: Mode = "solo"
    drift: Drift = Drift()
    age_days: float | None = None
    wrong_place: str | None = None
    integrity: Sequence[str] = ()
    missing_content: Sequence[str] = ()
    held_by_person: str | None = None
    handed_over: str | None = None
    rollback_pending: str | None = None
    readback_failures: int = 0
    landed_outside: Sequence[str] = ()
    running: str | None = None
    other_clone: bool = False
    superseded_by: str | None = None
    dead_guards: Sequence[str] = ()
    secrets: int = 0
    verdict_fault: str | None = None
    verdict: bool = False
    previous_failing: int | None = None
    lifts: Sequence[Lifted] = ()
    levels: Mapping[str, HoldLevel] = field(default_factory=dict)


def compute(facts: HoldFacts) -> Hold:
    """The hold with every active reason, the gravest first; lifted and ignored ones are left out."""
    raise NotImplementedError
