"""What of git's own folder may change inside: objects, references, the index; nothing that decides what runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.sandbox.plan import Placeholder

_FILES = ("config", "config.worktree", "commondir", "gitdir")
_MAIN_WORKTREE = frozenset({"HEAD", "ORIG_HEAD", "index", "logs/HEAD"})
_PACKS = "objects/pack"
_CLOSED = (*_FILES, "hooks", "info", "modules", "worktrees", "passdown")


class GitFolder:
    """The common folder's rules. ``own``: this worktree's folder below it (``worktrees/NAME``), "" in the main one."""

    def __init__(self, own: str = "") -> None:
        self._own = own

    def file(self, path: str) -> bool:
        """Whether it steers nothing and is no other worktree's."""
        if self._own and path in _MAIN_WORKTREE:
            return False
        folder, _, name = path.rpartition("/")
        if folder == _PACKS:  # what was packed is history: more may come, none may go
            return False
        return not (folder in ("", self._own) and name in _FILES) and self.holds(folder, ())

    def holds(self, folder: str, files: Sequence[str]) -> bool:  # noqa: ARG002 -- what every tree is asked
        """Whether the folder is neither closed nor another worktree's."""
        if self._own and _within(folder, self._own):
            return not any(_within(folder, f"{self._own}/{name}") for name in _CLOSED)
        return not any(_within(folder, name) for name in _CLOSED)

    def reaches(self, folder: str) -> bool:
        """Whether something below may be written."""
        return self.holds(folder, ()) or _within(self._own, folder)

    def needed(self, *, worktree_elsewhere: bool) -> Iterator[Placeholder]:
        """What must be there so that nobody plants it: git would read its settings from there.

        ``commondir`` names the folder itself, which changes nothing, but where ``core.worktree`` is set: git would
        then pass that over.
        """
        yield Placeholder("config.worktree", "")
        yield Placeholder("hooks", None)
        yield Placeholder("info", None)
        if not worktree_elsewhere:
            yield Placeholder("commondir", ".\n")
        if self._own:
            yield Placeholder(f"{self._own}/config.worktree", "")


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")
