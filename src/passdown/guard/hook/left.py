"""A detached HEAD: which branch the worktree left, so that its boundary holds until a person moves on."""

from __future__ import annotations

import os

from .scan import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MOVED = "checkout: moving from "
AT_MOST = 1 << 20
UNDER_WAY = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")


def left_branch(git_dir: str, bound: Collection[str], log: Iterator[str] | None = None) -> str | None:
    """The branch of ``bound`` that a detached HEAD stands for; None where it came from another one.

    Git says it of a rebase and of a bisection; else HEAD's own log does: what the last checkout moved from. Where
    that tells nothing (HEAD written by other means, a log that is gone), the one branch that is bound.
    ``log``: the entries' messages, newest first, where they are in no file.
    """
    for name in UNDER_WAY:
        told = _line(f"{git_dir}/{name}")
        if told and told != "detached HEAD" and not _an_id(told):
            return told.removeprefix("refs/heads/") if told.removeprefix("refs/heads/") in bound else None
    for message in _messages(git_dir) if log is None else log:
        if message.startswith(MOVED):
            was, _, to = message[len(MOVED) :].partition(" to ")
            if was in bound or to in bound:
                return was if was in bound else to
            if not _an_id(was):
                return None
    return next(iter(bound)) if len(bound) == 1 else None


def _an_id(name: str) -> bool:
    return len(name) in (40, 64) and not set(name) - set("0123456789abcdef")


def _line(path: str) -> str:
    try:
        return os.fsdecode(read(path).strip())
    except OSError:
        return ""


def _messages(git_dir: str) -> Iterator[str]:
    """The messages of HEAD's log, newest first, as far back as one looks."""
    try:
        with open(f"{git_dir}/logs/HEAD", "rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - AT_MOST))
            lines = file.read().splitlines()
    except OSError:
        return
    for line in reversed(lines):
        yield os.fsdecode(line.partition(b"\t")[2])
