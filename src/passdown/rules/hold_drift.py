"""Reasons from what moved since the packet: the worktree, the base branch, what decides which commands run."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.packet import HoldLevel
from passdown.rules.amount import amount
from passdown.rules.hold_facts import Found, HoldFacts

SHOWN = 3


def tree_drift(facts: HoldFacts) -> Found | None:
    """Files differ from the sealed ones, or did when an earlier run began; HOLD where one of them is denied."""
    drift = facts.drift
    seen = "passdown status"
    if drift.denied:
        return Found("hold", f"a denied path changed since: {_listed(drift.denied)}", seen, "passdown pack")
    fresh = [path for path in drift.tree if path not in drift.outside]
    told = [f"changed since it was sealed: {_listed(fresh)}"] if fresh else []
    told += [f"changed outside while no run was open: {_listed(drift.outside)}"] if drift.outside else []
    if told and facts.midway is not None:
        name, finish, leave = facts.midway
        return Found(
            "watch", "; ".join([f"git is in the midst of a {name}", *told]), "git status", _either(finish, leave)
        )
    return Found("watch", "; ".join(told), seen, "passdown pack") if told else None


def base_drift(facts: HoldFacts) -> Found | None:
    """The base branch went on; HOLD where both sides changed the same lines."""
    drift = facts.drift
    if not drift.base_commits:
        return None
    tip = drift.base_tip[:9] or (facts.packet.place.base or "")[:9]
    touched = f", touching {_listed(drift.base_paths)}" if drift.base_paths else ", none in these files"
    fact = f"the base has {amount(drift.base_commits, 'new commit')}{touched}"
    if drift.conflicts:
        by = f" (last by {drift.conflicts_by[:9]})" if drift.conflicts_by else ""
        fact = f"the base changed the same lines: {_listed(drift.conflicts)}{by}"
    level: HoldLevel = "hold" if drift.conflicts else "watch"
    way = f"git merge {tip}, then passdown pack"
    if facts.midway is not None:  # git merges nothing before that has ended
        name, finish, leave = facts.midway
        way = _either(finish, leave) if name == "merge" else f"{_either(finish, leave)}; {way}"
    return Found(level, fact, f"git log --oneline HEAD..{tip}", way)


def _either(finish: str, leave: str) -> str:
    return f"{finish}, then passdown pack" if finish == leave else f"{finish}, or {leave}, then passdown pack"


def control_surface_changed(facts: HoldFacts) -> Found | None:
    """Git configuration, hooks, agents' settings, CODEOWNERS or policy differ from the sealed ones."""
    if not facts.drift.control:
        return None
    level: HoldLevel = "hold" if facts.mode == "team" else "watch"
    return Found(level, f"settings changed since: {_listed(facts.drift.control)}", "git status", "passdown pack")


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
