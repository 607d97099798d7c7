"""Which files often change together, by the history."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence

from passdown.workspace.place import Place
from passdown.workspace.private import reading

COMMITS = 200
LARGEST = 20
"""A commit that touches more files says nothing about pairs."""
OFTEN = 3
SHARE = 0.5
LIMIT = 3


def changed_together(place: Place, paths: Sequence[str]) -> Mapping[str, list[str]]:
    """Map each path to at most three files that changed in half of its latest commits, three times at least."""
    if place.head is None or not paths:
        return {}
    mark = b"\x01"
    options = ("--full-diff", "--name-only", "--no-renames", "--no-merges", "-z", "--format=%x01", f"-n{COMMITS}")
    told = reading(place).run("log", "--no-show-signature", *options, place.head, "--", *paths)
    commits = []
    for record in told.split(mark):
        names = {os.fsdecode(name.strip(b"\n")) for name in record.split(b"\0") if name.strip(b"\n")}
        if 1 < len(names) <= LARGEST:
            commits.append(names)
    return {path: found for path in paths if (found := _beside(path, commits))}


def _beside(path: str, commits: Sequence[set[str]]) -> list[str]:
    own = [names for names in commits if path in names]
    counted = Counter(name for names in own for name in names if name != path)
    often = [name for name, count in counted.items() if count >= OFTEN and count >= SHARE * len(own)]
    return sorted(often, key=lambda name: (-counted[name], name))[:LIMIT]
