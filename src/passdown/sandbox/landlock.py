"""Close everything but the named places to this process and its children by Landlock.

The standard library alone: it runs inside, before the command, and also without a sandbox around.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the numbers are the same on every architecture
_NO_NEW_PRIVS = 38
_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_FOLDER = sum(1 << bit for bit in range(4, 13))  # remove and make, of every kind
SCOPED = 6
"""The version from which on processes outside are out of reach by abstract sockets and signals."""
_SCOPES = 3  # abstract sockets and signals of processes outside
_DEVICES = "/dev"


def support() -> int:
    """The kernel's Landlock version, 0 where it has none."""
    return max(_call(_CREATE, None, 0, 1), 0)


def restrict(places: Iterable[str]) -> int:
    """Deny every write but below ``places`` and to devices; the version that was used, 0: nothing was done."""
    version = support()
    if version == 0:
        return 0
    handled = _rights(version)
    attributes = struct.pack("=QQQ", handled, 0, _SCOPES if version >= SCOPED else 0)
    size = 24 if version >= SCOPED else 16 if version >= 4 else 8  # noqa: PLR2004 - as the kernel counts
    ruleset = _call(_CREATE, attributes, size, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock_create_ruleset")
    for place in places:
        _allow(ruleset, place, handled)
    _allow(ruleset, _DEVICES, handled & (_WRITE_FILE | _TRUNCATE))
    _allow(ruleset, f"{_DEVICES}/shm", handled)
    if ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) or _call(_RESTRICT, ruleset, 0, 0):
        raise OSError(ctypes.get_errno(), "landlock_restrict_self")
    os.close(ruleset)
    return version


def _rights(version: int) -> int:
    """What this version can deny of writing; an older kernel leaves moving between folders and cutting open."""
    return _WRITE_FILE | _FOLDER | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)  # noqa: PLR2004


def _allow(ruleset: int, place: str, rights: int) -> None:
    try:
        found = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not stat.S_ISDIR(os.fstat(found).st_mode):
        rights &= _WRITE_FILE | _TRUNCATE
    failed = _call(_ADD, ruleset, 1, struct.pack("=Qi", rights, found), 0)
    os.close(found)
    if failed:
        raise OSError(ctypes.get_errno(), "landlock_add_rule", place)


def _call(number: int, *args: int | bytes | None) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(number, *args))
