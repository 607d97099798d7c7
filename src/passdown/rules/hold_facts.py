"""The facts that the table of hold reasons looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from passdown.model.event import Lifted
from passdown.model.packet import HoldLevel, HoldPart, Packet
from passdown.model.policy import HoldLimits, Mode


class Drift(Struct, frozen=True):
    """What moved since the packet: paths that differ, of those the denied ones; what the base branch brought.

    ``outside``: paths that changed outside the boundary while no run was open, whenever that was.
    ``base_commits`` None: not known. ``conflicts``: paths, with lines, that a merge of ``base_tip`` would leave open;
    ``conflicts_by``: the newest commit there that changed them.
    ``control`` names the pieces (git config, hooks, settings) that changed.
    """

    tree: Sequence[str] = ()
    denied: Sequence[str] = ()
    outside: Sequence[str] = ()
    base_commits: int | None = None
    base_paths: Sequence[str] = ()
    conflicts: Sequence[str] = ()
    conflicts_by: str = ""
    base_tip: str = ""
    control: Sequence[str] = ()


class Replan(Struct, frozen=True):
    """What speaks for a new plan: each number as found and None where it was not measured.

    ``tried`` and ``check`` name the failure that was tried most often and the check that shows it.
    """

    tries: int | None = None
    tried: str = ""
    check: str = ""
    boundary_files: int = 0
    changed_upstream: int | None = None
    contradicted: int | None = None
    architecture: Sequence[str] = ()
    failing: int | None = None
    failing_before: int | None = None
    age_days: float | None = None


class HoldFacts(Struct, frozen=True):
    """What the table looks at; None and empty mean "not known" and give no reason.

    ``packet`` as drafted or sealed, its files and items as they are; ``age_days`` since it was sealed.
    ``right_place``: the command that leads to the packet's. ``push``: the one that sends its branch; ``pushed``: the
    commit is on a remote since. ``midway``: what git is in the midst of, and the commands that finish and leave it.
    ``elsewhere``: it was sealed in another clone, and ``other_clone``: its commit is not in this one. ``running`` says
    which process of the run is still alive; ``verdict_fault`` why the verdict does not fit; ``rollback_to`` "": to the
    packet itself.
    ``levels`` as the policy sets them; ``kind_holds``: what this kind of handoff makes graver where it says nothing.
    ``review_required`` None: as the mode has it; ``verdict_short``: why the verdict is not the one that is asked for.
    ``answered_away``: an answer of another clone that does not count here; ``dead_guards``: in words.
    """

    packet: Packet
    mode: Mode = "solo"
    drift: Drift = Drift()
    replan: Replan = Replan()
    age_days: float | None = None
    wrong_place: str | None = None
    right_place: str = ""
    integrity: Sequence[str] = ()
    missing_content: Sequence[str] = ()
    held_by_person: str | None = None
    handed_over: str | None = None
    rollback_pending: str | None = None
    rollback_to: str = ""
    readback_failures: int = 0
    landed_outside: Sequence[str] = ()
    running: str | None = None
    push: str = "git push"
    pushed: bool = False
    midway: tuple[str, str, str] | None = None
    other_clone: bool = False
    elsewhere: bool = False
    superseded_by: str | None = None
    dead_guards: Sequence[str] = ()
    secrets: int = 0
    verdict_fault: str | None = None
    verdict: bool = False
    verdict_short: str | None = None
    answered_away: str = ""
    review_required: bool | None = None
    lifts: Sequence[Lifted] = ()
    levels: Mapping[str, HoldLevel] = field(default_factory=dict)
    kind_holds: Mapping[str, HoldLevel] = field(default_factory=dict)
    limits: HoldLimits = HoldLimits()


class Found(Struct, frozen=True):
    """One reason that holds: its level before configuration; ``lifts`` "": `passdown lift`."""

    level: HoldLevel
    fact: str
    reproduce: str
    lifts: str = ""
    parts: Sequence[HoldPart] = ()
