"""Which worktree a working directory belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
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

    @property
    def top(self) -> Path:
        """Its real path."""
        return self._top

    def akin(self, folder: str) -> bool:
        """Say whether ``folder`` lies above it or in another worktree of its repository."""
        if not folder.startswith("/") or "\0" in folder:
            return False
        here = Path(os.path.realpath(folder))
        if self._top.is_relative_to(here):
            return here != self._top
        common = _common(here)
        return common is not None and common == _common(self._top)

    def named_in(self, text: bytes) -> bool:
        """Say whether undecoded records may name a folder of it: a quick look before a thorough one."""
        return self.holds(folders_in(text))

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


def folders_in(text: bytes) -> list[str]:
    """List the folders that undecoded records name."""
    begun = {part[: part.find(b'",') + 1 or _LONGEST] for part in text.split(b'"cwd":')[1:]}
    quoted = {found[1] for part in begun if (found := _QUOTED.match(part))}
    tagged = {part.partition(b"<")[0] for part in text.split(b"<cwd>")[1:]}
    return [_plain(name) for name in quoted | tagged]


@lru_cache(maxsize=256)
def _common(folder: Path) -> Path | None:
    """The git folder that the worktree around ``folder`` shares with its others, read without git; None outside one."""
    for part in (folder, *folder.parents):
        git = part / ".git"
        try:
            if git.is_dir():
                return Path(os.path.realpath(git))
            if git.is_file():
                own = part / git.read_text(errors="surrogateescape").partition("gitdir:")[2].strip()
                return Path(os.path.realpath(own / (own / "commondir").read_text().strip()))
        except OSError:
            return None
    return None


def _plain(quoted: bytes) -> str:
    """Undo JSON's quoting; what cannot be undone names nothing."""
    try:
        return msgspec.json.decode(b'"' + quoted + b'"', type=str).removeprefix("file://")
    except msgspec.MsgspecError:
        return ""
