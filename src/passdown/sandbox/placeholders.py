"""Files and folders that stand for missing ones while a command runs, so that it cannot plant them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from passdown.sandbox.plan import Placeholder


@contextmanager
def standing(placeholders: Iterable[Placeholder]) -> Iterator[None]:
    """Make them, and take away those that we made and nobody filled meanwhile."""
    made: list[Placeholder] = []
    try:
        made.extend(each for each in placeholders if _make(each))
        yield
    finally:
        for each in reversed(made):
            _take_away(each)


def _make(each: Placeholder) -> bool:
    """Whether it was missing."""
    try:
        if each.content is None:
            os.mkdir(each.path, 0o755)
        else:
            made = os.open(each.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
            os.write(made, each.content.encode())
            os.close(made)
    except FileExistsError:
        return False
    return True


def _take_away(each: Placeholder) -> None:
    with suppress(OSError):
        if each.content is None:
            os.rmdir(each.path)
            return
        with open(each.path, encoding="utf-8", errors="replace") as file:
            untouched = file.read() == each.content
        if untouched:
            os.unlink(each.path)
