"""Work that begins before its result is asked for: git works meanwhile, and this process reads on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Generic, TypeVar

from passdown.errors import PassdownError

Result = TypeVar("Result")


class Ahead(Generic[Result]):
    """``work`` in a thread of its own; what fails there is done again, and told, where the result is asked for.

    ``only``: it begins only where this holds. A command that ends before it asks waits for it: nothing is left
    half-written.
    """

    def __init__(self, work: Callable[[], Result], only: Callable[[], bool]) -> None:
        self._work = work
        self._only = only
        self._done: list[Result] = []
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with suppress(PassdownError, OSError):
            if self._only():
                self._done.append(self._work())

    def result(self) -> Result:
        """Wait for it."""
        self._thread.join()
        return self._done[0] if self._done else self._work()
