"""The one error that a user is meant to see."""

from __future__ import annotations

import errno

EXIT_HOLDS = 0
EXIT_DOES_NOT_HOLD = 1
EXIT_BAD_INPUT = 2
EXIT_UNDECIDED = 3


ROOM = "make room, then run it again; what was sealed before is unharmed"
_FULL = (errno.ENOSPC, errno.EDQUOT)
_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


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


def unwritable(where: object, error: OSError) -> PassdownError:
    """A place that takes nothing: its disk is full, it is read-only, or not ours. Nothing was decided."""
    hint = ROOM if error.errno in _FULL else "make it writable, then run it again" if error.errno in _CLOSED else ""
    return PassdownError(f"cannot write {where}: {error.strerror or error}", hint, EXIT_UNDECIDED)
