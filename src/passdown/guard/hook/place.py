"""Which worktree of this repository a folder lies in, and the rules that bind it now."""

from __future__ import annotations

import os
import time

from .rules import Rules
from .scan import loads, read


class Stop(Exception):  # noqa: N818 -- it stops this process, it is no error of a program
    """End with a line for the agent and exit code 2."""


def worktree(start: str, common: str) -> tuple[str, str] | None:
    """``(root, git dir)`` of this repository's worktree around a real path; nested repositories are looked past."""
    here = start
    while True:
        git_dir = _git_dir(here)
        if git_dir is not None and _common_of(git_dir) == common:
            return here, git_dir
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _git_dir(folder: str) -> str | None:
    dot = folder.rstrip("/") + "/.git"
    if os.path.isdir(dot):
        return os.path.realpath(dot)
    try:
        said = read(dot)
    except OSError:
        return None
    if not said.startswith(b"gitdir:"):
        return None
    return os.path.realpath(os.path.join(folder, os.fsdecode(said[7:].strip())))


def _common_of(git_dir: str) -> str:
    try:
        said = os.fsdecode(read(git_dir + "/commondir").strip())
    except OSError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, said))


def branch_of(git_dir: str) -> str | None:
    """The branch's name, None where HEAD is detached."""
    head = os.fsdecode(read(git_dir + "/HEAD").strip())
    return head[5:].strip().removeprefix("refs/heads/") if head.startswith("ref:") else None


def in_force(folder: str, root: str, git_dir: str, common: str) -> Rules | None:
    """The rules that bind this worktree on its branch now; None: none, asleep, switched off or run out."""
    key = "main" if git_dir == common else os.path.basename(git_dir)
    try:
        stored = loads(read(f"{folder}/rules/{key}.json").decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    if not isinstance(stored, dict):
        raise Stop("the compiled rules cannot be read")
    branch = branch_of(git_dir)
    found = stored["branches"].get("" if branch is None else "/" + branch)
    now = time.time()
    if found is None or now < stored["off_until"] or now > found["until"]:
        return None
    return Rules(found, root, common)
