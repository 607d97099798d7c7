"""What the parent itself runs: nothing inside may change it, or have another program found in its place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from passdown.sandbox.plan import Mount

_LISTS = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH")
_SINGLE = ("LD_PRELOAD", "LD_AUDIT", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONSTARTUP", "PYTHONPLATLIBDIR")


def closed(mounts: Sequence[Mount], own: Sequence[str]) -> list[Mount]:
    """The mounts with our own folders read-only, whatever the boundary says of them.

    Each folder between is a mount of its own: else it could be moved away with what it holds, and made anew.
    """
    writable = [mount.path for mount in mounts if mount.kind == "writable"]
    found = list(mounts)
    for folder in own:
        around = [path for path in writable if _within(folder, path)]
        if around:
            found = [each for each in found if each.kind != "writable" or not _within(each.path, folder)]
            found += [Mount(path, "writable") for path in _between(max(around, key=len), folder)]
            found.append(Mount(folder, "read-only"))
    return found


def _between(outer: str, folder: str) -> Iterator[str]:
    above = os.path.dirname(folder)
    while _within(above, outer) and above != outer:
        yield above
        above = os.path.dirname(above)


def trusted(env: Mapping[str, str], writable: Sequence[str]) -> dict[str, str]:
    """The variables for what runs outside: no program or library is looked for where something inside can write."""
    given = dict(env)
    for name in _LISTS:
        if name in given:
            given[name] = os.pathsep.join(path for path in given[name].split(os.pathsep) if _safe(path, writable))
    for name in _SINGLE:
        if name in given and not all(_safe(path, writable) for path in given[name].replace(":", " ").split()):
            del given[name]
    return {name: value for name, value in given.items() if value or name not in _LISTS}


def _safe(path: str, writable: Sequence[str]) -> bool:
    """A relative one is looked for in the worktree."""
    return os.path.isabs(path) and not any(_within(os.path.realpath(path), folder) for folder in writable)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
