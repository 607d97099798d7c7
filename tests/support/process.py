"""Running real processes, with pipes or at a terminal, and what came out of them."""

from __future__ import annotations

import errno
import json
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support import warm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PASSDOWN = str(Path(sys.executable).parent / "passdown")
TIMEOUT = 300.0
"""Seconds for what takes a moment on a machine that is not busy."""
ENDS = 60.0
"""Seconds from the last word at a terminal to the process's end."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a process ended; text is decoded with surrogateescape."""

    argv: tuple[str, ...]
    code: int
    out: str
    err: str
    seconds: float

    def json(self) -> Any:
        """Standard output as the one JSON document that it must be."""
        return json.loads(self.out)

    def check(self, code: int = 0) -> Result:
        """Fail with the whole output unless the exit code is ``code``."""
        assert self.code == code, f"{self.argv} -> {self.code}, not {code}\n--- out\n{self.out}\n--- err\n{self.err}"
        return self


def run(
    argv: Sequence[str | os.PathLike[str]],
    cwd: Path,
    env: Mapping[str, str | None] | None = None,
    stdin: bytes = b"",
    timeout: float = TIMEOUT,
) -> Result:
    """Run without a terminal; ``env`` adds to the environment, None removes a name."""
    begun = time.monotonic()
    words = [os.fspath(a) for a in argv]
    names = environment(env)
    if words[0] == PASSDOWN and warm.usable(words, names):
        code, out, err = warm.call(warm.Given(words, cwd, names), stdin, timeout)
    else:
        done = subprocess.run(words, cwd=cwd, env=names, input=stdin, capture_output=True, timeout=timeout, check=False)
        code, out, err = done.returncode, done.stdout, done.stderr
    return Result(
        tuple(words),
        code,
        out.decode("utf-8", "surrogateescape"),
        err.decode("utf-8", "surrogateescape"),
        time.monotonic() - begun,
    )


def run_at_terminal(
    argv: Sequence[str],
    cwd: Path,
    keys: str = "",
    env: Mapping[str, str | None] | None = None,
    timeout: float = TIMEOUT,
) -> Result:
    """Run at a real pseudo-terminal; ``keys`` are typed at once. All output stands in ``out``, with plain newlines."""
    ours, theirs = os.openpty()
    begun = time.monotonic()
    names = environment(env)

    def shown() -> bytes:
        os.write(ours, keys.encode())
        return _read_until_closed(ours, begun + timeout)

    try:
        if argv[0] == PASSDOWN and warm.usable(argv, names):
            code, out = warm.at_terminal(warm.Given(argv, cwd, names, session=True), theirs, shown, ENDS)
        else:
            code, out = _started_at_terminal(argv, cwd, names, theirs, shown)
    finally:
        os.close(ours)
    text = out.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    return Result(tuple(argv), code, text, "", time.monotonic() - begun)


def _started_at_terminal(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], terminal: int, shown: Callable[[], bytes]
) -> tuple[int, bytes]:
    with subprocess.Popen(
        argv, cwd=cwd, env=env, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
    ) as process:
        os.close(terminal)
        try:
            out = shown()
            process.wait(ENDS)
        finally:
            if process.poll() is None:
                process.kill()
    return process.returncode, out


def until(condition: Callable[[], object]) -> None:
    """Wait for it, for as long as a busy machine may take."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def environment(changes: Mapping[str, str | None] | None) -> dict[str, str]:
    """The test's environment with changes; None removes a name."""
    merged: dict[str, str | None] = {**os.environ, **(changes or {})}
    return {name: value for name, value in merged.items() if value is not None}


def _read_until_closed(descriptor: int, deadline: float) -> bytes:
    shown = b""
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([descriptor], [], [], left)
        if not ready:
            break
        try:
            piece = os.read(descriptor, 65536)
        except OSError as error:  # Linux reports the other side's close as EIO
            if error.errno != errno.EIO:
                raise
            return shown
        if not piece:
            return shown
        shown += piece
    return shown
