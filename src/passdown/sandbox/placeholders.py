"""Files and folders that stand for missing ones while commands run, so that nobody plants them.

A placeholder of ours is known by its time (one second after the epoch) and by saying nothing: what a killed run left
is taken away by the next one. Each run holds a lock on it; the last one out takes it away.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from passdown.sandbox.plan import Placeholder

_MARK = 1_000_000_000


@contextmanager
def standing(placeholders: Iterable[Placeholder]) -> Iterator[None]:
    """Make them, and take them away where nobody else needs them any more."""
    held: list[tuple[Placeholder, int]] = []
    try:
        held.extend((each, _hold(each)) for each in placeholders)
        yield
    finally:
        for each, lock in reversed(held):
            _let_go(each, lock)


def is_ours(each: Placeholder) -> bool:
    """Whether what stands there is a placeholder and nothing more."""
    try:
        if os.lstat(each.path).st_mtime_ns != _MARK:
            return False
        if each.content is None:
            return not os.listdir(each.path)
        with open(each.path, encoding="utf-8", errors="replace") as file:
            return file.read() == each.content
    except OSError:
        return False


def _hold(each: Placeholder) -> int:
    """Make it where it is missing, lock it together with others; the lock's descriptor."""
    while True:
        _make(each)
        with suppress(FileNotFoundError):  # the last one out took it away meanwhile
            lock = os.open(each.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            fcntl.flock(lock, fcntl.LOCK_SH)
            if os.fstat(lock).st_nlink:
                return lock
            os.close(lock)


def _make(each: Placeholder) -> None:
    with suppress(FileExistsError):
        if each.content is None:
            os.mkdir(each.path, 0o755)
        else:
            made = os.open(each.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
            os.write(made, each.content.encode())
            os.close(made)
        os.utime(each.path, ns=(_MARK, _MARK))


def _let_go(each: Placeholder, lock: int) -> None:
    with suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_ours(each):
            (os.rmdir if each.content is None else os.unlink)(each.path)
    os.close(lock)
