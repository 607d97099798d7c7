"""The exact content of one worktree as a tree id, and keeping it."""

from __future__ import annotations

from passdown.workspace.keep import keep, kept
from passdown.workspace.result import Snapshot
from passdown.workspace.take import look, take

__all__ = ["Snapshot", "keep", "kept", "look", "take"]
