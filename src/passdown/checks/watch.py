"""Hears of names that come and go in folders while a check runs: what was made and removed leaves no other mark."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC
_MADE_OR_GONE = 0x100 | 0x200 | 0x40 | 0x80
"""IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO."""
_ONLY_FOLDERS, _NO_FOLLOW = 0x1000000, 0x2000000
_FOLDER, _OVERFLOW = 0x40000000, 0x4000
_EVENT = struct.Struct("iIII")
_CHUNK = 1 << 20


class Watch:
    """Of ``folders`` (repository paths; "" is the root). Where the system cannot watch, nothing is heard.

    ``whole``: each of them is watched.
    """

    def __init__(self, root: Path, folders: Iterable[str]) -> None:
        self._names: dict[int, str] = {}
        self._handle = -1
        self.whole = False
        if sys.platform != "linux":
            return
        libc = ctypes.CDLL(None, use_errno=True)
        self._handle = libc.inotify_init1(_FLAGS)
        if self._handle < 0:
            return
        mask = _MADE_OR_GONE | _ONLY_FOLDERS | _NO_FOLLOW
        self.whole = True
        for folder in folders:
            number = libc.inotify_add_watch(self._handle, os.fsencode(root / folder), mask)
            if number >= 0:
                self._names[number] = folder
            else:
                self.whole = False

    def heard(self) -> set[str] | None:
        """Repository paths that were made, removed or renamed (a folder's ends with ``/``); None: more than it held.

        The watch ends with it.
        """
        if self._handle < 0:
            return set()
        found: set[str] = set()
        whole = True
        while data := self._read():
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size
                name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
                at += length
                whole = whole and not mask & _OVERFLOW
                if name and number in self._names:
                    folder = self._names[number]
                    path = f"{folder}/{name}" if folder else name
                    found.add(f"{path}/" if mask & _FOLDER else path)
        self.close()
        return found if whole else None

    def close(self) -> None:
        """Stop listening."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _read(self) -> bytes:
        try:
            return os.read(self._handle, _CHUNK)
        except BlockingIOError:
            return b""
