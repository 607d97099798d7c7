"""The worktrees of a repository: where they are, and folders that were one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from passdown.workspace.identity import worktree_id
from passdown.workspace.place import Place


def linked(place: Place) -> Iterator[tuple[Path, Path]]:
    """``(git dir, folder)`` of each linked worktree that git knows, whether or not its folder is there."""
    for git_dir in sorted((place.common_dir / "worktrees").glob("*")):
        try:
            said = Path(os.fsdecode((git_dir / "gitdir").read_bytes().removesuffix(b"\n")))
        except OSError:
            continue
        yield git_dir, Path(os.path.abspath(git_dir / said)).parent


def live(place: Place, known_as: str, branch: str | None) -> Path | None:
    """The folder of the worktree that the record knows by this id and that is on the branch (None: on none)."""
    return next((folder for folder, on in _known_as(place, known_as) if on == branch), None)


def any_live(place: Place, known_as: str) -> Path | None:
    """A folder of a worktree that the record knows by this id, whichever branch it is on."""
    return next((folder for folder, _ in _known_as(place, known_as)), None)


def _known_as(place: Place, known_as: str) -> Iterator[tuple[Path, str | None]]:
    main = [(place.common_dir, place.common_dir.parent)] if place.common_dir.name == ".git" else []
    for git_dir, folder in (*main, *linked(place)):
        same = worktree_id(Path(os.path.realpath(git_dir)), place.home) == known_as
        if same and (folder / ".git").exists():
            head = os.fsdecode((git_dir / "HEAD").read_bytes()).removesuffix("\n")
            yield folder, head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else None


def leftover(place: Place, folder: Path) -> Path | None:
    """The folder around ``folder`` that was a worktree and has lost its ``.git``: git takes it for ``place`` (F2)."""
    for _, was in linked(place):
        inside = folder == was or was in folder.parents
        if inside and place.root in was.parents and not (was / ".git").exists():
            return was
    return None


def holder(place: Place, branch: str) -> Path | None:
    """The folder of the worktree that is there and has the branch checked out."""
    alive = [(git_dir, folder) for git_dir, folder in linked(place) if (folder / ".git").exists()]
    if place.git_dir == place.common_dir:
        alive = [(place.git_dir, place.root), *alive]
    elif place.common_dir.name == ".git":
        alive = [(place.common_dir, place.common_dir.parent), *alive]
    wanted = os.fsencode(f"ref: refs/heads/{branch}\n")
    return next((folder for git_dir, folder in alive if (git_dir / "HEAD").read_bytes() == wanted), None)
