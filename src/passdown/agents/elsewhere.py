"""Sessions that stand in another worktree of the same repository, or above it, and work in this one all the same."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterable
from pathlib import Path

from passdown.agents.places import Worktree

_BEFORE = 400
_ENDS = rb"(?=[/\"'\\ ;&|)])"
# What stands before a path that is worked in: a record's folder, a write, a patch, a change of folder.
_WORKED = re.compile(
    rb"(?P<folder>\"cwd\":\s*\"(?:file://)?|(?:work_?dir|cwd)\\*\":\s*\\*\""
    rb"|(?:\bcd|\bpushd|\bgit -C|--work-tree)[ =]+\\*[\"']?)$"
    rb"|(?:\"name\":\s*\"(?:Edit|Write|MultiEdit|NotebookEdit)\",\s*\"input\":\s*\{(?:(?!\"name\":).)*\"(?:file_path|notebook_path)\":\s*\""
    rb"|\*\*\* (?:Add File|Update File|Delete File|Move to): )$",
    re.DOTALL,
)
_STOP = re.compile(rb"[\"'\\ ;&|)\n]")
_LONGEST = 4096


def worked(path: Path, here: Worktree, folders: Iterable[str]) -> bool:
    """Whether the transcript ``path``, whose ends name other ``folders`` alone, shows work in ``here``."""
    akin = {folder for folder in folders if here.akin(folder)}
    if not akin:
        return False
    names = {str(here.top), *(os.path.relpath(here.top, folder) for folder in akin)} - {".", ".."}
    sought = re.compile(rb"(?:" + rb"|".join(map(re.escape, map(os.fsencode, sorted(names)))) + rb")" + _ENDS)
    try:
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(_is_work(data, found, here, akin) for found in sought.finditer(data))
    except (OSError, ValueError):
        return False


def _is_work(data: mmap.mmap, found: re.Match[bytes], here: Worktree, akin: set[str]) -> bool:
    start, end = found.span()
    worked_in = _WORKED.search(data[max(0, start - _BEFORE) : start])
    if worked_in is None:
        return False
    rest = _STOP.split(data[end : end + _LONGEST], maxsplit=1)[0]
    place = os.fsdecode(data[start:end] + rest)
    places = [place] if place.startswith("/") else [f"{folder}/{place}" for folder in akin]
    return here.holds(places if worked_in["folder"] else map(os.path.dirname, places))
