"""Sockets of this machine that somebody listens at: a connection to one is stopped by no mount but its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence

_MOST = 200
_PATH = 7
"""The column of the kernel's table."""


def listed(table: str = "/proc/net/unix") -> list[str]:
    """The paths that sockets are bound to, as the kernel tells them; [] where it tells none."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.rstrip("\n").split(None, _PATH) for line in file]
    except OSError:
        return []
    return [row[_PATH] for row in rows if len(row) > _PATH and row[_PATH].startswith("/")]


def seen(
    paths: Iterable[str], gone: Sequence[str], kept: Sequence[str], is_socket: Callable[[str], bool]
) -> Iterator[str]:
    """Those that would be seen inside: not below a folder that is ``gone`` there, but for what is ``kept`` of it."""
    found = dict.fromkeys(path for path in map(os.path.realpath, paths) if is_socket(path))
    visible = [path for path in found if _below(path, kept) or not _below(path, gone)]
    yield from visible[:_MOST]


def is_socket(path: str) -> bool:
    """Whether a socket stands there."""
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except OSError:
        return False


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)
