"""Which worktree a working directory belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

_QUOTED = re.compile(rb'\s*"((?:[^"\\]|\\.)*)"')
_LONGEST = 4096 + 16


class Worktree:
    """A worktree by its real path; what is nested in it (linked worktrees, other repositories) is not of it."""

    def __init__(self, root: Path) -> None:
        self._top = Path(os.path.realpath(root))
        self._known: dict[str, bool] = {}

    def holds(self, folders: Iterable[str]) -> bool:
        """Say whether one of ``folders`` lies in it."""
        return any(self._holds(folder) for folder in folders)

    def named_in(self, text: bytes) -> bool:
        """Say whether undecoded records may name a folder of it: a quick look before a thorough one."""
        begun = {part[: part.find(b'",') + 1 or _LONGEST] for part in text.split(b'"cwd":')[1:]}
        quoted = {found[1] for part in begun if (found := _QUOTED.match(part))}
        tagged = {part.partition(b"<")[0] for part in text.split(b"<cwd>")[1:]}
        return self.holds(map(_plain, quoted | tagged))

    def _holds(self, folder: str) -> bool:
        if folder not in self._known:
            self._known[folder] = self._inside(folder)
        return self._known[folder]

    def _inside(self, folder: str) -> bool:
        """Compare real paths; a folder that is gone is taken by its name, a path of another system is never inside."""
        if not folder.startswith("/") or "\0" in folder:
            return False
        here = Path(os.path.realpath(folder))
        if not here.is_relative_to(self._top):
            return False
        between = [part for part in (here, *here.parents) if part.is_relative_to(self._top) and part != self._top]
        return not any(os.path.lexists(part / ".git") for part in between)


def _plain(quoted: bytes) -> str:
    """Undo JSON's quoting; what cannot be undone names nothing."""
    try:
        return msgspec.json.decode(b'"' + quoted + b'"', type=str).removeprefix("file://")
    except msgspec.MsgspecError:
        return ""
