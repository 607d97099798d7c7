"""The edge: the one place where a failure becomes a line, a hint and an exit code."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from passdown.cli.harmless import plain, whole
from passdown.errors import EXIT_BAD_INPUT, EXIT_UNDECIDED, ROOM, PassdownError, unwritable

_INTERRUPTED = 130
_BROKEN_PIPE = 141
_FULL = ("Out of diskspace", "No space left", "Disk quota exceeded")
"""git's words for a disk that takes no more."""
_WRITES = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_SYSTEM = {
    errno.EACCES: ("no permission", "check who owns the file and its folder"),
    errno.EPERM: ("no permission", "check who owns the file and its folder"),
    errno.ENAMETOOLONG: ("a name is longer than this file system takes", "check the argument"),
    errno.EMFILE: ("too many open files", "raise the limit: ulimit -n 1024"),
    errno.ENFILE: ("too many open files on this machine", "close some programs, then run it again"),
}


def run(command: click.Command, args: Sequence[str]) -> int:
    """Run ``command``; every failure ends here, shown once. The exit code comes back."""
    _open_streams()
    code = _shown(command, args)
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # what is left in it would fail again when Python ends, with a code of Python's own
            _let_go(number)
    return code


def _shown(command: click.Command, args: Sequence[str]) -> int:
    wants_json = "--json" in _before_dashes(args)
    try:
        code = _call(command, args)
        sys.stdout.flush()
    except BrokenPipeError:
        return _quiet_pipe()
    except KeyboardInterrupt:
        return _fail(PassdownError("stopped by you", code=_INTERRUPTED), wants_json=wants_json)
    except PassdownError as error:
        if not error.hint and any(words in error.message for words in _FULL):
            error.hint = ROOM
        return _fail(error, wants_json=wants_json)
    except click.ClickException as error:
        from passdown.cli.usage import wrong

        return _fail(wrong(error, args), wants_json=wants_json)
    except Exception as error:  # noqa: BLE001 -- the edge: a bug is one line, and a traceback on request
        return _fail(_unexpected(error), wants_json=wants_json)
    return code


def _call(command: click.Command, args: Sequence[str]) -> int:
    try:
        result = command.main(args=list(args), prog_name="passdown", standalone_mode=False)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort as abort:
        if sys.stderr.isatty():  # the question stands there, without an end of its line
            click.echo(err=True)
        raise KeyboardInterrupt from abort
    except SystemExit as leave:  # click's own answer to a pipe that nobody reads any more: a code that means "no"
        raise BrokenPipeError from leave
    return result if isinstance(result, int) else 0


def _before_dashes(args: Sequence[str]) -> list[str]:
    words = list(args)
    return words[: words.index("--")] if "--" in words else words


def _open_streams() -> None:
    """UTF-8 whatever the locale says; a closed stream becomes /dev/null, so that no file lands on its number."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # noqa: PLR2004 -- standard error's number
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="backslashreplace")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace")
    if sys.stderr is sys.__stderr__:
        remarks = io.BufferedWriter(_Remarks(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(remarks, encoding="utf-8", errors="backslashreplace", line_buffering=True)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


class _Remarks(io.FileIO):
    """Standard error: where it takes nothing, the command goes on; its answer does not stand there."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _let_go(number: int) -> None:
    """Point a stream that takes nothing nowhere, so that closing it says nothing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def _quiet_pipe() -> int:
    """The reader of standard output went away."""
    _let_go(1)
    return _BROKEN_PIPE


def _unexpected(error: Exception) -> PassdownError:
    if os.environ.get("PASSDOWN_DEBUG"):
        import traceback

        traceback.print_exc()
    if isinstance(error, UnicodeEncodeError):
        return PassdownError("an argument is not UTF-8 text", "type it in UTF-8; nothing was written", EXIT_BAD_INPUT)
    if isinstance(error, OSError) and error.errno in _WRITES:
        return _unwritten(error)
    if isinstance(error, OSError) and error.errno in _SYSTEM:
        what, hint = _SYSTEM[error.errno]
        where = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""
        return PassdownError(what + where, hint, EXIT_BAD_INPUT)
    said = _database(error)
    if said is not None:
        return said
    first = (str(error).splitlines() or [""])[0][:200]
    kind = type(error).__name__
    return PassdownError(
        f"this is a bug in Passdown: {kind}{': ' + first if first else ''}",
        "PASSDOWN_DEBUG=1 shows where; nothing of yours was changed by the failure itself",
        EXIT_UNDECIDED,
    )


def _unwritten(error: OSError) -> PassdownError:
    """What takes nothing more: the file that was written, of a copy its target, or standard output."""
    name = error.filename2 if error.filename2 is not None else error.filename
    if isinstance(name, str | bytes):
        return unwritable(os.fsdecode(name), error)
    if _by_output(error):
        hint = "what the command recorded stands; passdown log lists it"
        return PassdownError(f"standard output takes no more: {error.strerror}", hint, EXIT_UNDECIDED)
    return unwritable("its files", error)


def _by_output(error: Exception) -> bool:
    """Whether it came up where a command prints, in click's echo or in our flush."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_globals.get("__name__") in ("click.utils", __name__)


def _database(error: Exception) -> PassdownError | None:
    """SQLite has its own words for a full or read-only disk."""
    if type(error).__module__ != "sqlite3":
        return None
    text = str(error)
    if "full" in text:
        number = errno.ENOSPC
    elif "readonly" in text or "unable to open" in text:
        number = errno.EROFS
    else:
        return None
    return unwritable("Passdown's index", OSError(number, os.strerror(number)))


def _fail(error: PassdownError, *, wants_json: bool) -> int:
    try:
        if wants_json:
            import json

            told = {"message": whole(error.message), "hint": whole(error.hint), "code": error.code}
            click.echo(json.dumps({"error": told}, indent=2, ensure_ascii=False))
        else:
            _say(error)
        sys.stdout.flush()
    except BrokenPipeError:
        return _quiet_pipe()
    except OSError:  # standard output itself is what failed: say it on the other one
        _quiet_pipe()
        _say(error)
    return error.code


def _say(error: PassdownError) -> None:
    click.echo(f"passdown: {plain(error.message)}", err=True)
    if error.hint:
        click.echo(f"  {plain(error.hint)}", err=True)
