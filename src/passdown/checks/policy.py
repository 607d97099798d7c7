"""The policy: passdown.toml of the base revision; the worktree's own is a proposal that may only narrow."""

from __future__ import annotations

from passdown.model.policy import Policy
from passdown.workspace.place import Place


def load_policy(place: Place, base: str | None, *, strict: bool = True) -> Policy:
    """The policy of the commit ``base``, the worktree's additions as candidates and denies.

    A mistake raises PassdownError: file, line, key, what was expected. ``strict`` False turns a
    mistake in the worktree's file (never in the base's) into a warning: capture must not fail on it.
    """
    raise NotImplementedError


def find_policy(place: Place, start: str | None = None, *, strict: bool = True) -> tuple[Policy, str | None, str]:
    """``(policy, base commit, because)``: the base branch is believed only as the base's own policy names it.

    ``start`` (the task's first commit) stands in where there is no base branch.
    """
    raise NotImplementedError
