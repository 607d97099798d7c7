"""Runs one command under the warden and streams its output."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from passdown.checks.output import Output

GRACE = 5.0
"""Seconds between TERM and KILL."""
_CHUNK = 1 << 16
_DRAIN = 1.0
_IMPORTED = "import sys; sys.path.append(sys.argv.pop(1)); import warden; warden.program(sys.argv[1:])"
WARDEN = (sys.executable, "-I", "-S", "-c", _IMPORTED, str(Path(__file__).parent))
"""How the warden starts: as a module, which Python keeps compiled, and a script not."""


class Ended(Struct, frozen=True):
    """How the command ended. ``why``: "", ``timeout``, ``lost`` (the warden was killed) or ``cannot start: ...``."""

    code: int | None
    why: str
    seconds: float
    left: list[str] = field(default_factory=list)


class Mounts(Struct, frozen=True):
    """To the check ``folder`` stands at ``place``, and in it each source of ``bound`` read-only at its target."""

    folder: str
    place: str
    bound: list[tuple[str, str]] = field(default_factory=list)


def run(
    argv: list[str],
    cwd: Path,
    env: Mapping[str, str],
    output: Output,
    timeout: float | None = None,
    *,
    mounts: Mounts | None = None,
) -> Ended:
    """Run to the end; both streams come in their order; standard input is closed, there is no terminal."""
    begun = time.monotonic()
    result, theirs = os.pipe()
    out, out_theirs = os.pipe()
    told = [str(timeout or 0), str(GRACE), str(theirs), _told(mounts)]
    try:
        warden = subprocess.Popen(
            [*WARDEN, *told, *argv],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out_theirs,
            stderr=subprocess.STDOUT,
            pass_fds=[theirs],
            start_new_session=True,
        )
    finally:
        os.close(theirs)
        os.close(out_theirs)
    try:
        messages = _attend(warden, out, result, output)
    finally:
        os.close(out)
        os.close(result)
    warden.wait()
    return _ended(messages, time.monotonic() - begun)


def _attend(warden: subprocess.Popen[bytes], out: int, result: int, output: Output) -> dict[str, Any]:
    """What the warden says; where we are stopped meanwhile, the check ends with us."""
    try:
        return _stream(out, result, output)
    except BaseException:  # Ctrl-C, or the terminal went away: the check must not live on
        warden.terminate()
        warden.wait()
        raise


def _told(mounts: Mounts | None) -> str:
    return json.dumps([mounts.folder, mounts.place, mounts.bound] if mounts else [])


def _stream(out: int, result: int, output: Output) -> dict[str, Any]:
    """Read both pipes until the warden has reported and the output is at its end, or a second later held open still.

    What lay in the pipe by then is read, however late we look.
    """
    report = b""
    deadline: float | None = None
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        selector.register(result, selectors.EVENT_READ)
        while len(selector.get_map()) and (deadline is None or time.monotonic() < deadline):
            for ready, _ in selector.select(None if deadline is None else _DRAIN):
                data = os.read(ready.fd, _CHUNK)
                if not data:
                    selector.unregister(ready.fd)
                    if ready.fd == result:
                        deadline = time.monotonic() + _DRAIN
                elif ready.fd == out:
                    output.feed(data)
                else:
                    report += data
        if out in selector.get_map():
            os.set_blocking(out, False)
            with suppress(BlockingIOError):
                output.feed(os.read(out, _CHUNK))
    return {key: value for line in report.splitlines() for key, value in json.loads(line).items()}


def _ended(messages: dict[str, Any], seconds: float) -> Ended:
    if "error" in messages:
        return Ended(None, str(messages["error"]), seconds)
    if "code" not in messages:
        if "pid" in messages:
            _kill_group(int(messages["pid"]))
        return Ended(None, "lost", seconds)
    return Ended(int(messages["code"]), str(messages["why"]), seconds, list(messages["left"]))


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
