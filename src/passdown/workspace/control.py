"""The control surface: what decides which commands run and which rules hold."""

from __future__ import annotations

from collections.abc import Mapping

from passdown.workspace.place import Place


def control_parts(place: Place) -> dict[str, str]:
    """name -> digest of each part that is there (git config, hooks, agents' settings, CODEOWNERS, policy...)."""
    raise NotImplementedError


def control_digest(parts: Mapping[str, str]) -> str:
    """One digest over all parts."""
    raise NotImplementedError


def control_changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """Names of the parts that appeared, changed or went."""
    raise NotImplementedError
