"""Where a task is not: a folder that was a worktree, a submodule whose task lies in the project around it."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from passdown.cli.folder import current_folder
from passdown.errors import PassdownError
from passdown.workspace.identity import worktree_id
from passdown.workspace.worktrees import leftover, linked

if TYPE_CHECKING:
    from passdown.cli.context import Context


def refuse_leftover(context: Context) -> None:
    """PassdownError in a folder that was a worktree: git takes it for the one around it, and so would the next run."""
    place, here = context.place, current_folder()
    was = leftover(place, here) if here != place.root else None
    if was is None:
        return
    git_dir = next(git_dir for git_dir, folder in linked(place) if folder == was)
    known_as = worktree_id(git_dir.resolve(), place.home)
    packets = [packet for task in context.tasks.values() for packet in task.packets]
    names = [p.id[:7] for p in sorted(packets, key=lambda p: p.order) if p.body.place.worktree_id == known_as]
    away = f"mv {quote(str(was))} {quote(f'{was}.old')} && " if any(was.iterdir()) else ""
    again = f"{away}passdown resume {names[-1]} --worktree {quote(str(was))}" if names else "git worktree prune"
    raise PassdownError(
        f"{was} was a worktree and has lost its .git: git takes it for {place.root}",
        f"cd {quote(str(place.root))} && {again}",
    )


def around(context: Context) -> str | None:
    """In a submodule: the command that leads to the project around it. Told by its git folder's path alone (F10)."""
    parts = context.place.git_dir.parts
    for at, part in enumerate(parts[:-1]):
        if part == ".git" and parts[at + 1] == "modules":
            return f"{context.place.root.name} is a submodule; the project's task: cd {quote(str(Path(*parts[:at])))}"
    return None
