"""What a confined command sees: mounts, in the order in which they are made. A value; no kernel is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

Kind = Literal["writable", "read-only", "scratch", "hidden folder", "hidden file"]
MOST_MOUNTS = 1000
"""Each mount costs bubblewrap a look at all others: a thousand are seconds."""


class Mount(Struct, frozen=True):
    """One absolute path and what it is inside; ``scratch``: an empty folder that ends with the run."""

    path: str
    kind: Kind


class Placeholder(Struct, frozen=True):
    """A file (``content``) or folder (None) that must be there to be closed, made for the run and removed after it."""

    path: str
    content: str | None


class Plan(Struct, frozen=True, kw_only=True):
    """The compiled boundary. ``loose``: folders whose denied files are left to `passdown verify`, there were too many.

    ``links``: symbolic links outside the boundary in writable folders; a mount cannot hold them.
    """

    mounts: tuple[Mount, ...]
    placeholders: tuple[Placeholder, ...] = ()
    loose: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    def of(self, *kinds: Kind) -> list[str]:
        """The paths of the mounts of these kinds."""
        return [mount.path for mount in self.mounts if mount.kind in kinds]


def in_order(mounts: Iterable[Mount]) -> tuple[Mount, ...]:
    """Parents before children; where a path is named twice the later one stands."""
    chosen = {mount.path: mount for mount in mounts}
    return tuple(sorted(chosen.values(), key=lambda mount: mount.path.rstrip("/").split("/")))


def fold(files: dict[str, list[str]], room: int) -> list[str]:
    """Folders whose denied files get no mount of their own, the fullest first, until at most ``room`` files remain."""
    left = sum(len(names) for names in files.values())
    loose = []
    for folder in sorted(files, key=lambda name: (-len(files[name]), name)):
        if left <= room:
            break
        left -= len(files[folder])
        loose.append(folder)
    return sorted(loose)
