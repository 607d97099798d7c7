"""What one snapshot leaves for the next: its answer, and the records that make the next one quick.

Any mismatch (another version, a torn file, an index that is not the one it speaks of) reads as no state at all.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

from passdown.workspace.git import zjoin
from passdown.workspace.walk import Walk

_VERSION = 2


@dataclass(slots=True)
class State:
    """The last snapshot of a worktree. Paths in ``walk`` are bytes; the rest is what JSON holds."""

    tree: str
    commit_tree: str | None
    index: list[int] | None  # signature of the private index that belongs to it
    settings: list[list[int] | None]  # signatures of the settings' files
    user_indexes: dict[str, list[int] | None]  # realm -> signature of the user's index
    tracked: str  # digest of the set of tracked paths
    entries: str  # digest of the whole listings
    heads: dict[str, str]  # nested repository -> HEAD
    loose: dict[str, list[int] | None]  # ignored .gitignore files -> signature
    absent: list[str]  # sparse paths that count as in the user's index
    unseen: list[str]
    differing: dict[str, list[str]]  # path -> raw blob, mode, blob as git would commit it
    walk: Walk = field(default_factory=Walk)


_SETS = ("pruned", "marked", "loose", "hidden", "fakes", "worktrees", "others", "unreadable")


def save(path: Path, state: State) -> None:
    """Write the state in one step."""
    walk, state.walk = state.walk, Walk()
    header = asdict(state)
    state.walk = walk
    header["walk"] = {name: [os.fsdecode(item) for item in getattr(walk, name)] for name in _SETS}
    header["walk"]["odd"] = {os.fsdecode(key): value for key, value in walk.odd.items()}
    header["walk"]["nested"] = {os.fsdecode(key): os.fsdecode(value) for key, value in walk.nested.items()}
    header["walk"]["too_many"] = walk.too_many
    header["version"] = _VERSION
    flat = zjoin(part for item in walk.records.items() for part in item)
    temporary = path.with_suffix(".new")
    temporary.write_bytes(json.dumps(header).encode("ascii") + b"\n" + flat)
    os.replace(temporary, path)


def load(path: Path) -> State | None:
    """The saved state; None where there is none that can be trusted."""
    try:
        head, _, flat = path.read_bytes().partition(b"\n")
        header = json.loads(head)
        if header.pop("version") != _VERSION:
            return None
        told = header.pop("walk")
        parts = flat.split(b"\0")
        walk = Walk(
            records=dict(zip(parts[:-1:2], parts[1::2], strict=True)),
            odd={os.fsencode(key): value for key, value in told.pop("odd").items()},
            nested={os.fsencode(key): os.fsencode(value) for key, value in told.pop("nested").items()},
            too_many=told.pop("too_many"),
            **{name: {os.fsencode(item) for item in items} for name, items in told.items()},
        )
        return State(**header, walk=walk)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
