"""What a merge of the base branch would conflict on: git's own three-way merge, in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence

from passdown.workspace.git import Git, GitError
from passdown.workspace.place import Place
from passdown.workspace.private import reading

_AUTHOR = "Passdown <passdown@localhost> 0 +0000"
_MARK = 7


def conflicts(place: Place, base: str, tip: str, tree: str) -> dict[str, list[int]] | None:
    """Path to the lines of ``tree`` where its conflicts with ``tip`` begin; [] where a whole file is in doubt.

    ``base``: the commit that both come from. None where this git (before 2.38) cannot tell.
    """
    git = reading(place)
    text = f"tree {tree}\nparent {base}\nauthor {_AUTHOR}\ncommitter {_AUTHOR}\n\n"
    try:
        ours = git.run("hash-object", "-t", "commit", "-w", "--stdin", data=text.encode()).decode("ascii").strip()
        told = git.run("merge-tree", "--write-tree", "-z", "--no-messages", ours, tip, allow=(0, 1))
    except GitError:
        return None
    merged, *rows = told.split(b"\0")
    paths = list(dict.fromkeys(os.fsdecode(row.partition(b"\t")[2]) for row in rows if b"\t" in row))
    return _lines(git, merged.decode("ascii"), tree, paths) if paths else {}


def _lines(git: Git, merged: str, ours: str, paths: Sequence[str]) -> dict[str, list[int]]:
    """For each path where in our text the marked stretches of the merged one begin."""
    found = {}
    for path in paths:
        texts = []
        for tree in (merged, ours):
            try:
                texts.append(git.run("cat-file", "blob", f"{tree}:{path}").split(b"\n"))
            except GitError:
                texts.append([])
        found[path] = _starts(texts[0], texts[1])
    return found


def _starts(merged: Sequence[bytes], ours: Sequence[bytes]) -> list[int]:
    """Lines are counted from 1; a stretch that is empty on our side begins where the line before it ends."""
    starts, at, number = [], 0, 0
    while number < len(merged):
        if not merged[number].startswith(b"<" * _MARK + b" "):
            number += 1
            continue
        end = next((n for n in range(number, len(merged)) if merged[n] == b"=" * _MARK), len(merged))
        part = list(merged[number + 1 : end]) or list(merged[number - 1 : number])
        at = next((n for n in range(at, len(ours)) if list(ours[n : n + len(part)]) == part), at)
        starts.append(at + 1)
        at += end - number - 1
        number = end
    return starts
