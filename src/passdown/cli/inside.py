"""Inside the sandbox: verbs that write the record go to the parent; its answer is shown as if they ran here."""

from __future__ import annotations

import os
import socket
import sys
from typing import TextIO

import click
import msgspec

from passdown.cli.folder import current_folder
from passdown.cli.paint import screen_width
from passdown.cli.verbs import VERBS
from passdown.errors import EXIT_BAD_INPUT, EXIT_UNDECIDED, PassdownError
from passdown.sandbox import SOCKET
from passdown.sandbox.messages import CODE, ERR, LONGEST, OUT, Asked, Called, Verb

HANDED: tuple[str, ...] = Verb.__args__  # type: ignore[attr-defined] # what Literal keeps them in
HERE = ("log", "boundary", "session", "metrics", "mcp", "doctor", "sandbox", "export")
"""What reads alone, or asks by verbs of its own, and runs inside as it is."""
_PIECE = 1 << 16


class Handed(click.Command):
    """A verb that the parent runs with the words as they were typed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave the words to the parent."""
        ctx.obj = list(args)
        return []

    def invoke(self, ctx: click.Context) -> int:
        """Ask the parent; its exit code."""
        cwd = os.path.realpath(current_folder())
        width = screen_width() if sys.stdout.isatty() or os.environ.get("COLUMNS") else 0
        return ask(Asked(verb=self.name, args=ctx.obj, cwd=cwd, width=width))  # type: ignore[arg-type] # one of HANDED


def stand_in(verb: str, args: list[str]) -> click.Command | None:
    """What runs in place of a verb; None where it runs here. PassdownError where it is a person's."""
    if verb not in VERBS or "--help" in args or "-h" in args:
        return None
    if verb in HANDED:
        return Handed(verb)
    words = [verb, *(word for word in args[:1] if verb == "boundary")]
    if verb in HERE and words[1:] in ([], ["show"], ["explain"]):
        return None
    said = " ".join(words)
    raise PassdownError(
        f"`passdown {said}` is not for inside the sandbox", f"a person types it outside: passdown {said}"
    )


def rescue(why: str) -> None:
    """Have the parent keep the worktree; PassdownError where it did not. Nothing is shown."""
    code = ask(Asked(verb="rescue", args=["--because", why], cwd=os.path.realpath(current_folder())), shows=False)
    if code != 0:
        raise PassdownError("the sandbox's parent could not keep the worktree", "passdown rescue says why", code)


def ask(message: Asked | Called, *, shows: bool = True) -> int:
    """Send it, show the answer as it comes; the exit code. PassdownError where there is none."""
    try:
        packet = msgspec.json.encode(message)
    except UnicodeEncodeError as error:
        raise PassdownError("an argument is not UTF-8 text", "type it in UTF-8; nothing was written") from error
    if len(packet) > LONGEST:
        raise PassdownError(
            f"that is {len(packet) // 1024} KB; at most {LONGEST // 1024} KB leave the sandbox", "say it shorter"
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        try:
            asked.connect(SOCKET)
            asked.send(packet)
        except OSError as error:
            raise PassdownError(
                f"the sandbox's parent does not answer ({error.strerror}): nothing was recorded",
                "go on with the work; a person runs `passdown pack` outside afterwards",
                EXIT_UNDECIDED,
            ) from error
        return _answer(asked, {OUT: sys.stdout, ERR: sys.stderr} if shows else {OUT: None, ERR: None})


def _answer(asked: socket.socket, streams: dict[bytes, TextIO | None]) -> int:
    while piece := _next(asked):
        kind, text = piece[:1], piece[1:]
        if kind == CODE:
            return int(text)
        if kind not in streams:
            raise PassdownError(
                f"the sandbox's parent refused: {text.decode()}", "nothing was recorded", EXIT_BAD_INPUT
            )
        stream = streams[kind]
        if stream is not None:
            stream.flush()
            stream.buffer.write(text)
            stream.flush()
    raise PassdownError(
        "the sandbox's parent went away while it answered", "outside, passdown log tells what stands", EXIT_UNDECIDED
    )


def _next(asked: socket.socket) -> bytes:
    try:
        return asked.recv(_PIECE)
    except ConnectionResetError:
        return b""
