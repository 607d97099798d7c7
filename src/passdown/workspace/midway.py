"""An operation of git that has begun and not ended: a rebase, a merge and their like. It is only looked at."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from passdown.workspace.place import Place


class Midway(Struct, frozen=True):
    """``name`` in words; ``finish`` and ``leave``: the commands that end it; ``branch``: the one that it began on."""

    name: str
    finish: str
    leave: str
    branch: str | None = None


_ENDED_BY = (
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
)


def midway(place: Place) -> Midway | None:
    """What git is in the midst of in this worktree; None where it is in nothing."""
    at = place.git_dir
    for folder in ("rebase-merge", "rebase-apply"):
        if (at / folder).is_dir():
            mails = (at / folder / "applying").exists()
            return _ended_by("am" if mails else "rebase", _branch(at / folder / "head-name"))
    for file, verb in _ENDED_BY:
        if (at / file).exists():
            return _ended_by(verb, place.branch)
    if (at / "BISECT_START").exists():
        return Midway("bisect", "git bisect reset", "git bisect reset", _branch(at / "BISECT_START"))
    return None


def _ended_by(verb: str, branch: str | None) -> Midway:
    return Midway(verb, f"git {verb} --continue", f"git {verb} --abort", branch)


def _branch(file: Path) -> str | None:
    try:
        return os.fsdecode(file.read_bytes()).strip().removeprefix("refs/heads/") or None
    except OSError:
        return None
