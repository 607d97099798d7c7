"""``flock`` on a file beside what it protects: released by the kernel when the holder dies."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PAUSE = 0.005


@contextmanager
def shared(path: Path) -> Iterator[None]:
    """Held together with other shared holders; a reader needs no right to write."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def exclusive(path: Path, seconds: float | None = None) -> Iterator[bool]:
    """Held alone. With ``seconds``, gives False where the lock could not be had in that time."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        if seconds is None:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield True
        else:
            yield _within(descriptor, seconds)
    finally:
        os.close(descriptor)


def _within(descriptor: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                return False
            time.sleep(_PAUSE)
        else:
            return True
