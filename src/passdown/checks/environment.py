"""Where a check runs: platform, programs, lockfiles, installed packages, declared values."""

from __future__ import annotations

from collections.abc import Mapping

from passdown.checks.tree import TreeView
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint


def environment(
    view: TreeView, definition: CheckDefinition, *, env: Mapping[str, str] | None = None, salt: bytes | None = None
) -> EnvironmentFingerprint:
    """Today's environment of the check. ``env``: default the process's own; ``salt``: default this clone's."""
    raise NotImplementedError


def differing(old: EnvironmentFingerprint, new: EnvironmentFingerprint) -> list[str]:
    """One line for each part that differs; values of variables are never shown."""
    raise NotImplementedError
