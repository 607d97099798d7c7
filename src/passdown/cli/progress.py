"""A line at a terminal that says what runs and for how long, while its output is not shown."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

from contextlib import contextmanager

_EVERY = 1.0
_WIDTH = 78


@contextmanager
def progress(text: str, last: float | None = None) -> Iterator[None]:
    """``running tests ... 3 s of about 6 s``, renewed each second at a terminal; elsewhere the plain line, once.

    ``last``: how many seconds it took last time.
    """
    if not sys.stderr.isatty():
        sys.stderr.write(f"{text} ...\n")
        sys.stderr.flush()
        yield
        return
    over = threading.Event()
    line = threading.Thread(target=_tick, args=(text, last, over), daemon=True)
    line.start()
    try:
        yield
    finally:
        over.set()
        line.join()
        sys.stderr.write(f"\r{'':{_WIDTH}}\r")
        sys.stderr.flush()


def about(last: float | None) -> str:
    """``about 6 s`` where it ran before."""
    return f"about {max(1, round(last))} s" if last is not None else ""


def _tick(text: str, last: float | None, over: threading.Event) -> None:
    begun = time.monotonic()
    expected = f" of {about(last)}" if last is not None else ""
    while True:
        passed = int(time.monotonic() - begun)
        sys.stderr.write(f"\r{f'{text} ... {passed} s{expected}'[:_WIDTH]:{_WIDTH}}")
        sys.stderr.flush()
        if over.wait(_EVERY):
            return
