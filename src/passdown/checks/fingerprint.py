"""The inputs of a check: which files of a tree it depends on, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passdown.checks.definition import Defined
from passdown.checks.tree import TreeView
from passdown.model.evidence import Fingerprint


@dataclass(frozen=True, slots=True)
class Inputs:
    """``files`` maps each input path to its mode and content id."""

    fingerprint: Fingerprint
    files: Mapping[str, tuple[str, str]]


def inputs(view: TreeView, defined: Defined) -> Inputs:
    """The check's inputs in this tree; ``inputs_ignored`` are read from the disk."""
    raise NotImplementedError


def compare(old: Inputs, new: Inputs) -> list[str]:
    """Input paths that differ, sorted."""
    raise NotImplementedError
