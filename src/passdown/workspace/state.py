"""What one snapshot leaves for the next: its answer, and the records that make the next one quick.

Any mismatch (another version, a torn file, an index that is not the one it speaks of) reads as no state at all.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict

from passdown.workspace.git import zjoin
from passdown.workspace.tracked import Entry
from passdown.workspace.walk import Walk

_VERSION = 4

Signature = list[int] | None


class Doubt(Struct):
    """Entries whose stat data were stored between two instants; see ``index.changed_between``."""

    since: float
    until: float
    paths: list[str] | None  # None: all


class State(Struct):
    """The last snapshot of a worktree. Paths in ``walk`` are bytes; the rest is what JSON holds."""

    tree: str
    commit_tree: str | None
    index: Signature  # of the private index that belongs to it
    settings: list[Signature]  # of the settings' files
    user_indexes: dict[str, Signature]  # realm -> of the user's index
    tracked: str  # digest of the set of tracked paths
    entries: str  # digest of the whole listings
    links: bool  # the user's index has gitlinks or unmerged entries
    heads: dict[str, str]  # nested repository -> HEAD
    loose: dict[str, Signature]  # ignored .gitignore files; None: changed just now
    sparse: bool  # a sparse checkout is on
    absent: list[str]  # sparse paths that count as in the user's index
    unseen: list[str]
    differing: dict[str, list[str]]  # path -> raw blob, mode, blob as git would commit it
    doubt: Doubt | None
    walk: Walk = field(default_factory=Walk)

    def as_committed(self) -> dict[bytes, tuple[bytes, Entry]]:
        """Path -> raw blob, entry as git would commit it."""
        return {
            os.fsencode(path): (raw.encode(), (mode.encode(), blob.encode()))
            for path, (raw, mode, blob) in self.differing.items()
        }


_SETS = ("pruned", "marked", "loose", "hidden", "fakes", "worktrees", "others", "unreadable")


def save(path: Path, state: State) -> None:
    """Write the state in one step."""
    walk = state.walk
    header = asdict(state)
    header["doubt"] = asdict(state.doubt) if state.doubt is not None else None
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
        doubt = header.pop("doubt")
        return State(**header, doubt=Doubt(**doubt) if doubt else None, walk=walk)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
