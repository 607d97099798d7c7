"""Names that git refuses in a tree, held there under another name and given back wherever a path is shown.

A refused component stands with one byte 0x01 before it; one that already looks like that gets another.
"""

from __future__ import annotations

import os

MARK = b"\x01"
MARKED = "\x01"


def refused(name: bytes) -> bool:
    """Whether git refuses this component (a marked ``.gitmodules``: refuses it as a symlink)."""
    return name.lstrip(MARK).lower() in {b".git", b".gitmodules"} and (name.startswith(MARK) or name.lower() == b".git")


def encode(path: bytes, *, link: bool = False) -> bytes:
    """The path as the tree holds it."""
    parts = path.split(b"/")
    held = [MARK + part if refused(part) else part for part in parts]
    if link and parts[-1].lower() == b".gitmodules":
        held[-1] = MARK + parts[-1]
    return b"/".join(held)


def decode(path: bytes) -> bytes:
    """The path as the worktree has it."""
    if MARK not in path:
        return path
    return b"/".join(part[1:] if part.startswith(MARK) and refused(part) else part for part in path.split(b"/"))


def as_named(path: str) -> str:
    """As :func:`decode`, of a path that is already ``str``."""
    return os.fsdecode(decode(os.fsencode(path)))


def odd(path: bytes, kind: str) -> bool:
    """Must this path be held under another name? ``kind`` is the walk's: f, l, d or o."""
    parts = path.split(b"/")
    return any(refused(part) for part in parts) or (kind == "l" and parts[-1].lower() == b".gitmodules")
