"""The installed ``passdown`` as a process of its own for every call, without loading the package anew each time.

Loading takes most of a command's time, and the tests call it thousands of times. So a call of a form that this test
process has seen before (a verb with the same options) is forked from a process that has the package loaded
(`warm_server`); the first call of every form starts the installed script, so that nothing that only a fresh
interpreter shows (a missing import, what is read while loading) goes unseen. ``PASSDOWN_COLD=1`` starts it always.
"""

from __future__ import annotations

import atexit
import functools
import os
import pickle
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LINUX = sys.platform.startswith("linux")
COLD = os.environ.get("PASSDOWN_COLD") == "1" or not LINUX
AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "COVERAGE", "SETUPTOOLS_")
"""Names of variables that are read when an interpreter starts: another value needs another interpreter."""
SERVER = Path(__file__).with_name("warm_server.py")
PIECE = 65536

_seen: set[tuple[str, ...]] = set()
_asking = threading.Lock()


def _at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(AT_START)}


OWN = {**_at_start(os.environ), "LC_ALL": "C.UTF-8"}


def usable(argv: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether this call can be forked: a form seen before, and an interpreter would start no other way."""
    if COLD or _at_start(env) != OWN:
        return False
    form = _form(argv[1:])
    if form in _seen:
        return True
    _seen.add(form)
    return False


def _form(words: Sequence[str]) -> tuple[str, ...]:
    """The verb, the plain word after it (a verb of its own, perhaps) and the names of the options."""
    plain = [word for word in words[:2] if word.isascii() and word.isalpha() and word.islower()]
    options = {word.partition("=")[0] for word in words if word.startswith("-")}
    return (*plain, *sorted(options))


@dataclass
class Call:
    """One call under way: our ends of its pipes, and the socket that tells its process id and its end."""

    told: socket.socket
    stdin: int
    streams: tuple[int, int]
    said: dict[int, bytearray] = field(default_factory=dict)

    def talk(self, stdin: bytes, timeout: float) -> bool:
        """Feed it and read all until everything is closed; False if that took longer than ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        readers = (self.told.fileno(), *self.streams)
        self.said = {descriptor: bytearray() for descriptor in readers}
        left = memoryview(stdin)
        with selectors.DefaultSelector() as waiting:
            for descriptor in readers:
                waiting.register(descriptor, selectors.EVENT_READ)
            left = self._feed(waiting, left, first=True)
            while waiting.get_map():
                ready = waiting.select(deadline - time.monotonic())
                if not ready and time.monotonic() >= deadline:
                    return False
                for key, _ in ready:
                    if key.fd == self.stdin:
                        left = self._feed(waiting, left)
                    elif piece := os.read(key.fd, PIECE):
                        self.said[key.fd] += piece
                    else:
                        waiting.unregister(key.fd)
        return True

    def _feed(self, waiting: selectors.BaseSelector, left: memoryview, *, first: bool = False) -> memoryview:
        if first and left:
            os.set_blocking(self.stdin, False)
            waiting.register(self.stdin, selectors.EVENT_WRITE)
            return left
        try:
            left = left[os.write(self.stdin, left[:PIECE]) :] if left else left
        except BrokenPipeError:  # it reads no more
            left = left[:0]
        if not left:
            if not first:
                waiting.unregister(self.stdin)
            os.close(self.stdin)
            self.stdin = -1
        return left

    def ended(self) -> list[int]:
        """Process id, then the exit code once it has ended."""
        return [int(number) for number in self.said[self.told.fileno()].split()]

    def close(self) -> None:
        """Close what is ours."""
        self.told.close()
        for descriptor in (self.stdin, *self.streams):
            if descriptor >= 0:
                os.close(descriptor)


def call(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: bytes, timeout: float
) -> tuple[int, bytes, bytes]:
    """Run it; the exit code (negative: the signal) and what it wrote. subprocess.TimeoutExpired as subprocess.run."""
    names = {os.fsencode(name): os.fsencode(value) for name, value in env.items()}
    request = pickle.dumps((list(argv), os.fspath(cwd), names, _umask()))
    running = _begin(request)
    try:
        in_time = running.talk(stdin, timeout)
        told = running.ended()
        if not in_time:
            for pid in told[:1]:
                os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired(list(argv), timeout)
        if len(told) != 2:
            message = f"the warm server went away during {list(argv)}; with PASSDOWN_COLD=1 none is needed"
            raise RuntimeError(message)
        out, err = (bytes(running.said[stream]) for stream in running.streams)
        return told[1], out, err
    finally:
        running.close()


def _begin(request: bytes) -> Call:
    ours, theirs = socket.socketpair()
    (stdin, feed), (out, stdout), (err, stderr) = (os.pipe() for _ in range(3))
    running = Call(ours, feed, (out, err))
    try:
        with _asking:
            socket.send_fds(_server(os.getpid()), [b"c"], [stdin, stdout, stderr, theirs.fileno()])
    finally:
        theirs.close()
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
    ours.sendall(request)
    ours.shutdown(socket.SHUT_WR)
    return running


@functools.cache
def _server(caller: int) -> socket.socket:
    """The way to the server of this test process: started at its first call, gone with it."""
    ours, theirs = socket.socketpair()
    with theirs:
        argv = [sys.executable, "-u", str(SERVER), str(theirs.fileno())]
        process = subprocess.Popen(argv, cwd="/", env=OWN, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def end() -> None:
        if os.getpid() == caller:
            ours.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)

    atexit.register(end)
    return ours


def _umask() -> int:
    with Path("/proc/self/status").open() as status:
        return next(int(line.split()[1], 8) for line in status if line.startswith("Umask:"))
