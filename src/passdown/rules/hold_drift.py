"""Reasons from what moved since the packet: the worktree, the base branch, what decides which commands run."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.packet import HoldLevel
from passdown.rules.hold_facts import Found, HoldFacts

SHOWN = 3


def tree_drift(facts: HoldFacts) -> Found | None:
    """Files differ from the sealed ones; HOLD where one of them was denied."""
    drift = facts.drift
    if not drift.tree:
        return None
    name = "passdown resume --json"
    if drift.denied:
        return Found("hold", f"a denied path changed since: {_listed(drift.denied)}", name, "passdown pack")
    return Found("watch", f"changed since it was sealed: {_listed(drift.tree)}", name, "passdown pack")


def base_drift(facts: HoldFacts) -> Found | None:
    """The base branch went on; HOLD where both sides changed the same lines."""
    drift = facts.drift
    if not drift.base_commits:
        return None
    base = (facts.packet.place.base or "")[:9]
    touched = f", they touch {_listed(drift.base_paths)}" if drift.base_paths else ", none in these files"
    fact = f"the base has {drift.base_commits} new commits{touched}"
    if drift.conflicts:
        fact = f"the base changed the same lines: {_listed(drift.conflicts)}"
    level: HoldLevel = "hold" if drift.conflicts else "watch"
    return Found(level, fact, f"git log --oneline {base}..", "merge or rebase, then passdown pack")


def control_surface_changed(facts: HoldFacts) -> Found | None:
    """Git configuration, hooks, agents' settings, CODEOWNERS or policy differ from the sealed ones."""
    if not facts.drift.control:
        return None
    level: HoldLevel = "hold" if facts.mode == "team" else "watch"
    return Found(level, f"settings changed since: {_listed(facts.drift.control)}", "git status", "passdown pack")


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
