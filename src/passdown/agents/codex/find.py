"""The sessions of Codex that worked in a worktree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from passdown.agents.codex.rollouts import rollouts
from passdown.agents.places import Worktree
from passdown.agents.protocol import FoundSession


def home(env: Mapping[str, str]) -> Path | None:
    """Return CODEX_HOME, else ~/.codex."""
    folder = env.get("CODEX_HOME") or (f"{env['HOME']}/.codex" if env.get("HOME") else None)
    return Path(folder) if folder else None


def find(root: Path, env: Mapping[str, str]) -> list[FoundSession]:
    """List the sessions that worked in ``root``; the rollouts of subagents belong to their parents."""
    folder, here = home(env), Worktree(root)
    paths = list(rollouts(folder)) if folder else []
    if not paths:
        return []
    from passdown.agents.codex.rollout_ends import found_in  # noqa: PLC0415 - who has no rollout reads none

    return [found for path in paths if (found := found_in(path, here))]
