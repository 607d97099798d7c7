"""The installed ``passdown`` as a process of its own for every call, without loading the package anew each time.

Loading takes most of a command's time, and the tests call it thousands of times. So a call of a form that this test
process has seen before (a verb with the same options) is forked from a process that has the package loaded
(`warm_server`); the first call of every form starts the installed script, so that nothing that only a fresh
interpreter shows (a missing import, what is read while loading) goes unseen. ``PASSDOWN_COLD=1`` starts it always.
Test processes that run side by side share what they have seen in the folder that `seen_by_all` names.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
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
    from collections.abc import Callable, Mapping, Sequence

LINUX = sys.platform.startswith("linux")
COLD = os.environ.get("PASSDOWN_COLD") == "1" or not LINUX
AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_", "COVERAGE", "SETUPTOOLS_")
"""Names of variables that are read when an interpreter starts: another value needs another interpreter."""
SERVER = Path(__file__).with_name("warm_server.py")
PIECE = 65536
AT_MOST = 300.0
"""Seconds that the news of an end may take on a busy machine."""

_seen: set[tuple[object, ...]] = set()
_shared: list[Path] = []
_asking = threading.Lock()


def at_start(env: Mapping[str, str]) -> dict[str, str]:
    """Of an environment what is read when an interpreter starts."""
    return {name: value for name, value in env.items() if name.startswith(AT_START)}


OWN = {**at_start(os.environ), "LC_ALL": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class Start:
    """How the interpreter of a call starts: its program, what it reads from its environment then, whose it is."""

    program: str
    env: tuple[tuple[str, str], ...]
    user: int

    @classmethod
    def of(cls, program: str, env: Mapping[str, str], user: int) -> Start:
        """One that starts in this environment."""
        return cls(program, tuple(sorted(at_start(env).items())), user)


OURS = Start.of(sys.executable, OWN, os.getuid())


@dataclass(frozen=True, slots=True)
class Given:
    """What a call gets: arguments, folder, environment; descriptors by the number that it finds them under."""

    argv: Sequence[str]
    cwd: str | os.PathLike[str]
    env: Mapping[str, str]
    more: Mapping[int, int] = field(default_factory=dict)
    session: bool = False

    def packed(self) -> bytes:
        """As the server reads it."""
        names = {os.fsencode(name): os.fsencode(value) for name, value in self.env.items()}
        return pickle.dumps((list(self.argv), os.fspath(self.cwd), names, _umask(), self.session, list(self.more)))


def seen_by_all(folder: Path) -> None:
    """Share the forms that were seen with the test processes that name the same folder."""
    folder.mkdir(exist_ok=True)
    _shared[:] = [folder]


def usable(argv: Sequence[str], env: Mapping[str, str], start: Start = OURS) -> bool:
    """Whether this call can be forked: a form seen before, and an interpreter would start no other way."""
    if COLD or tuple(sorted(at_start(env).items())) != start.env:
        return False
    form = (*_form(argv[1:]), start.program, start.user)
    if form in _seen:
        return True
    _seen.add(form)
    return any(not _first(folder, repr(form)) for folder in _shared)


def _first(folder: Path, form: str) -> bool:
    try:
        (folder / hashlib.sha256(form.encode()).hexdigest()).mkdir()
    except FileExistsError:
        return False
    return True


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
    streams: tuple[int, ...]
    said: dict[int, bytearray] = field(default_factory=dict)

    def talk(self, stdin: bytes, timeout: float) -> bool:
        """Feed it and read all until everything is closed; False if that took longer than ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        readers = (self.told.fileno(), *self.streams)
        self.said = self.said or {descriptor: bytearray() for descriptor in readers}
        left = memoryview(stdin)
        with selectors.DefaultSelector() as waiting:
            for descriptor in readers:
                waiting.register(descriptor, selectors.EVENT_READ)
            if self.stdin >= 0:
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

    def kill(self) -> None:
        """End it where it runs; what has not begun yet is waited for."""
        while not self.ended() and (piece := os.read(self.told.fileno(), PIECE)):
            self.said[self.told.fileno()] += piece
        for pid in self.ended()[:1]:
            os.kill(pid, signal.SIGKILL)

    def code(self) -> int:
        """The exit code (negative: the signal) of a call that has ended."""
        told = self.ended()
        if len(told) != 2:
            message = "the warm server went away during a call; with PASSDOWN_COLD=1 none is needed"
            raise RuntimeError(message)
        return told[1]

    def close(self) -> None:
        """Close what is ours."""
        self.told.close()
        for descriptor in (self.stdin, *self.streams):
            if descriptor >= 0:
                os.close(descriptor)


def call(given: Given, stdin: bytes | None, timeout: float, start: Start = OURS) -> tuple[int, bytes, bytes]:
    """Run it; the exit code (negative: the signal) and what it wrote. subprocess.TimeoutExpired as subprocess.run.

    ``stdin`` None: it reads /dev/null.
    """
    (out, stdout), (err, stderr) = os.pipe(), os.pipe()
    fed, feed = os.pipe() if stdin is not None else (os.open(os.devnull, os.O_RDWR), -1)
    try:
        running = Call(_begin(given, (fed, stdout, stderr), start), feed, (out, err))
    finally:
        for descriptor in (fed, stdout, stderr):
            os.close(descriptor)
    try:
        if not running.talk(stdin or b"", timeout):
            running.kill()
            raise subprocess.TimeoutExpired(list(given.argv), timeout)
        return running.code(), bytes(running.said[out]), bytes(running.said[err])
    finally:
        running.close()


def at_terminal(given: Given, terminal: int, read: Callable[[], bytes], timeout: float) -> tuple[int, bytes]:
    """Run it with all three streams at ``terminal``, which is closed here; ``read`` reads the other side to its end.

    The exit code and what was read; it is killed where it goes on for longer than ``timeout`` seconds.
    """
    try:
        running = Call(_begin(given, (terminal, terminal, terminal), OURS), -1, ())
    finally:
        os.close(terminal)
    try:
        shown = read()
        if not running.talk(b"", timeout):
            running.kill()
            running.talk(b"", AT_MOST)
        return running.code(), shown
    finally:
        running.close()


def _begin(given: Given, streams: Sequence[int], start: Start) -> socket.socket:
    ours, theirs = socket.socketpair()
    with theirs, _asking:
        socket.send_fds(_server(os.getpid(), start), [b"c"], [*streams, theirs.fileno(), *given.more.values()])
    ours.sendall(given.packed())
    ours.shutdown(socket.SHUT_WR)
    return ours


@functools.cache
def _server(caller: int, start: Start) -> socket.socket:
    """The way to the server of this test process: started at its first call, gone with it."""
    ours, theirs = socket.socketpair()
    who = {} if start.user == os.getuid() else {"user": start.user, "group": start.user, "extra_groups": []}
    with theirs:
        argv = [start.program, "-u", str(SERVER), str(theirs.fileno())]
        process = subprocess.Popen(
            argv, cwd="/", env=dict(start.env), stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], **who
        )

    def end() -> None:
        if os.getpid() == caller:
            ours.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(AT_MOST)

    atexit.register(end)
    return ours


def _umask() -> int:
    with Path("/proc/self/status").open() as status:
        return next(int(line.split()[1], 8) for line in status if line.startswith("Umask:"))
