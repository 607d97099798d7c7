"""What stands in the index and not in HEAD."""

from __future__ import annotations

import os
from typing import Literal

from passdown.workspace.diff import Change
from passdown.workspace.git import Git, zsplit
from passdown.workspace.own_block import not_ours
from passdown.workspace.place import Place

_Status = Literal["added", "modified", "deleted", "mode", "type"]
_LETTERS: dict[str, _Status] = {"A": "added", "M": "modified", "D": "deleted", "T": "type", "U": "modified"}


def staged(place: Place, index: str | None = None) -> list[Change]:
    """Changes from HEAD to the index (another file than the worktree's own: ``index``), line counts not taken.

    [] before the first commit. The block that Passdown keeps in a file is nobody's change.
    """
    if place.head is None:
        return []
    git = _of(place, index)
    fields = zsplit(git.run("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", place.head))
    found = [
        _change(os.fsdecode(meta), os.fsdecode(path)) for meta, path in zip(fields[::2], fields[1::2], strict=True)
    ]
    return not_ours(place, found)


def listed(place: Place, index: str | None = None) -> dict[str, tuple[str, str]]:
    """All files of the index: path -> (mode, blob)."""
    records = [record.partition(b"\t") for record in zsplit(_of(place, index).run("ls-files", "-s", "-z"))]
    heads = [(os.fsdecode(path), head.decode("ascii").split(" ")) for head, _, path in records]
    return {path: (mode, blob) for path, (mode, blob, _) in heads}


def _of(place: Place, index: str | None) -> Git:
    other = {"GIT_INDEX_FILE": index} if index else {}
    return Git(place.root, {"GIT_DIR": str(place.git_dir), "GIT_WORK_TREE": str(place.root), **other})


def _change(meta: str, path: str) -> Change:
    """One raw line: ``:old-mode new-mode old-blob new-blob letter``."""
    old_mode, new_mode, old, new, letter = meta.removeprefix(":").split(" ")
    status = _LETTERS[letter[0]]
    if status == "modified" and old == new:
        status = "mode"
    return Change(path, status, None, None, _none(old_mode), _none(new_mode), _none(old), _none(new))


def _none(value: str) -> str:
    """Git writes zeros where a side has no file."""
    return value if value.strip("0") else ""
