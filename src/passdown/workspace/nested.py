"""What a ``.git`` inside the worktree is: a repository of its own, another worktree of this one, or odd content."""

from __future__ import annotations

import os
import re
import stat

_HEAD = re.compile(rb"ref: refs/|[0-9a-f]{40}")
_LONGEST_POINTER = 8192


def repository_in(folder: bytes) -> bytes | None:
    """The real path of the git dir that ``folder/.git`` is or points to; None where it is no repository."""
    dot_git = os.path.join(folder, b".git")
    try:
        mode = os.stat(dot_git).st_mode
        if stat.S_ISREG(mode):
            with open(dot_git, "rb") as file:
                said = file.read(_LONGEST_POINTER)
            if not said.startswith(b"gitdir: "):
                return None
            dot_git = os.path.join(folder, said[8:].rstrip(b"\r\n"))
        elif not stat.S_ISDIR(mode):
            return None
        return os.path.realpath(dot_git) if _is_git_dir(dot_git) else None
    except (OSError, ValueError):
        return None


def common_dir_of(git_dir: bytes) -> bytes:
    """The git dir that holds objects and references: another one for a linked worktree."""
    try:
        with open(os.path.join(git_dir, b"commondir"), "rb") as file:
            return os.path.realpath(os.path.join(git_dir, file.read().rstrip(b"\n")))
    except OSError:
        return os.path.realpath(git_dir)


def other_worktree(folder: bytes, git_dir: bytes, common_dir: bytes) -> bool:
    """Whether ``folder`` is a worktree that this repository's git knows: one that is only pointed at is plain content.

    Anybody can write a ``.git`` file into a folder; left out is what git lists, and git lists what points back.
    """
    dot_git = os.path.join(folder, b".git")
    if git_dir == common_dir:
        return os.path.realpath(dot_git) == common_dir and stat.S_ISDIR(os.lstat(dot_git).st_mode)
    if common_dir_of(git_dir) != common_dir or os.path.dirname(git_dir) != os.path.join(common_dir, b"worktrees"):
        return False
    try:
        with open(os.path.join(git_dir, b"gitdir"), "rb") as file:
            back = file.read(_LONGEST_POINTER).rstrip(b"\r\n")
    except OSError:
        return False
    return os.path.realpath(os.path.join(git_dir, back)) == os.path.realpath(dot_git)


def _is_git_dir(path: bytes) -> bool:
    common = common_dir_of(path)
    if not (os.path.isdir(os.path.join(common, b"objects")) and os.path.isdir(os.path.join(common, b"refs"))):
        return False
    head = os.path.join(path, b"HEAD")
    if os.path.islink(head):
        return os.readlink(head).startswith(b"refs/")
    with open(head, "rb") as file:
        return _HEAD.match(file.read(256)) is not None
