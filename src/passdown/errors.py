"""The one error that a user is meant to see."""

from __future__ import annotations

EXIT_HOLDS = 0
EXIT_DOES_NOT_HOLD = 1
EXIT_BAD_INPUT = 2
EXIT_UNDECIDED = 3


def in_a_line(error: BaseException) -> str:
    """An unexpected failure's kind and words, short enough for one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


class PassdownError(Exception):
    """An expected failure: one line that says what and where, one hint that says what to do.

    ``code`` is the process's exit code: 2 for usage, configuration or bad input, 3 where
    Passdown could not decide. It is shown by the handler in ``cli`` alone.
    """

    def __init__(self, message: str, hint: str = "", code: int = EXIT_BAD_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
