"""The parent's side of the sandbox: it takes messages from a socket, keeps the hook's lines, has verbs run outside.

One thread takes packets and never waits for a sender; each verb has a process of its own, in a thread of its own.
What is malformed, too long, too much or never sent ends that connection and nothing else.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct

from passdown.errors import PassdownError
from passdown.sandbox.budget import Budget
from passdown.sandbox.messages import CODE, ERR, LONGEST, OUT, REFUSED, Asked, Called, Kept, read

NAME = "broker"
_MOST_WAITING = 64
_MOST_ASKED = 8
_SECONDS_TO_SEND = 5.0
_SECONDS_TO_TAKE = 10.0
_SECONDS_TO_WAIT = 120.0
_PIECE = 1 << 15
_LONGEST_ADDRESS = 107
_MOST_OUTPUT = 4 << 20
_HEAVY = ("check", "pack", "verify", "rescue")


class Parent(Struct, frozen=True):
    """``worker``: the program that answers a message on its standard input; ``keep``: journals a line of the hook."""

    worker: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    keep: Callable[[Kept], None]


class Desk:
    """One sandbox's counter. ``dropped``: how many messages were left out, whatever was wrong with them."""

    def __init__(self, parent: Parent, listener: socket.socket) -> None:
        self._parent = parent
        self._listener = listener
        self._budget = Budget()
        self._waiting: dict[socket.socket, float] = {}
        self._serving: set[threading.Thread] = set()
        self._one_at_a_time = threading.Lock()
        self._stopped = threading.Event()
        self._wake, self._waked = os.pipe()
        self.dropped = 0
        self.kept = 0

    def attend(self) -> None:
        """Take what comes until :meth:`stop`; then what still waits of the hook's lines."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._listener, selectors.EVENT_READ)
            ready.register(self._wake, selectors.EVENT_READ)
            while not self._stopped.is_set():
                for key, _ in ready.select(1.0 if self._waiting else None):
                    if key.fileobj is self._listener:
                        self._accept(ready)
                    elif isinstance(key.fileobj, socket.socket):
                        self._take(ready, key.fileobj)
                self._let_go_of_the_silent(ready)
            self._accept(ready)
            for connection in list(self._waiting):
                self._take(ready, connection, last=True)

    def stop(self, thread: threading.Thread) -> None:
        """End it all, the verbs that still run too."""
        self._stopped.set()
        os.write(self._waked, b"x")
        thread.join()
        for each in list(self._serving):
            each.join()
        self._listener.close()
        os.close(self._wake)
        os.close(self._waked)

    def _accept(self, ready: selectors.BaseSelector) -> None:
        with suppress(OSError):  # until nobody waits any more, or there are no descriptors left
            for _ in range(_MOST_WAITING):
                connection, _address = self._listener.accept()
                connection.setblocking(False)
                self._waiting[connection] = time.monotonic() + _SECONDS_TO_SEND
                ready.register(connection, selectors.EVENT_READ)
                if len(self._waiting) > _MOST_WAITING:
                    self._take(ready, next(iter(self._waiting)))

    def _let_go_of_the_silent(self, ready: selectors.BaseSelector) -> None:
        now = time.monotonic()
        for connection, until in list(self._waiting.items()):
            if until < now:
                self._forget(ready, connection).close()
                self.dropped += 1

    def _forget(self, ready: selectors.BaseSelector, connection: socket.socket) -> socket.socket:
        self._waiting.pop(connection, None)
        ready.unregister(connection)
        return connection

    def _take(self, ready: selectors.BaseSelector, connection: socket.socket, *, last: bool = False) -> None:
        """One packet is one message, whole or not at all."""
        if connection not in self._waiting:
            return
        self._forget(ready, connection)
        try:
            packet = connection.recv(LONGEST + 1)
        except OSError:
            packet = b""
        message = read(packet)
        if message is None:
            self._refuse(connection, f"not a message that the sandbox takes (at most {LONGEST // 1024} KB)")
            return
        why = self._budget.refuses(message, len(packet), time.monotonic())
        if why:
            self._refuse(connection, why)
        elif isinstance(message, Kept):
            connection.close()
            self._keep(message)
        elif last or len(self._serving) >= _MOST_ASKED:
            self._refuse(connection, "too many at once: wait a moment")
        else:
            thread = threading.Thread(target=self._serve, args=(connection, message), daemon=True)
            self._serving.add(thread)
            thread.start()

    def _keep(self, line: Kept) -> None:
        try:
            self._parent.keep(line)
            self.kept += 1
        except (OSError, PassdownError):  # a journal that cannot be written stops nobody
            self.dropped += 1

    def _refuse(self, connection: socket.socket, why: str) -> None:
        self.dropped += 1
        with suppress(OSError), connection:
            connection.send(REFUSED + why.encode())

    def _serve(self, connection: socket.socket, message: Asked | Called) -> None:
        heavy = isinstance(message, Called) or message.verb in _HEAVY
        try:
            with connection, suppress(OSError):
                connection.settimeout(_SECONDS_TO_TAKE)
                if heavy and not self._may_begin():
                    connection.send(REFUSED + b"another check still runs: wait for it")
                    return
                try:
                    self._have_it_run(connection, message)
                finally:
                    if heavy:
                        self._one_at_a_time.release()
        finally:
            self._serving.discard(threading.current_thread())

    def _may_begin(self) -> bool:
        """Wait for the verb before; False where that takes too long or everything ends."""
        until = time.monotonic() + _SECONDS_TO_WAIT
        while not self._one_at_a_time.acquire(timeout=0.5):
            if self._stopped.is_set() or time.monotonic() > until:
                return False
        return True

    def _have_it_run(self, connection: socket.socket, message: Asked | Called) -> None:
        parent = self._parent
        with tempfile.TemporaryFile() as told:
            told.write(msgspec.json.encode(message))
            told.seek(0)
            process = subprocess.Popen(
                parent.worker,
                cwd=parent.cwd,
                env=dict(parent.env),
                stdin=told,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        with process:
            try:
                if self._pass_on(process, connection):
                    connection.send(CODE + str(process.wait()).encode())
            finally:
                _end(process)

    def _pass_on(self, process: subprocess.Popen[bytes], connection: socket.socket) -> bool:
        """Send its output as it comes; False where the asker went away, says more, or everything ends."""
        sent = 0
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ, OUT)  # type: ignore[arg-type] # a pipe
            ready.register(process.stderr, selectors.EVENT_READ, ERR)  # type: ignore[arg-type] # a pipe
            ready.register(connection, selectors.EVENT_READ)
            while len(ready.get_map()) > 1:
                for key, _ in ready.select(0.5):
                    if key.fileobj is connection:
                        return False
                    piece = os.read(key.fd, _PIECE)
                    if not piece:
                        ready.unregister(key.fileobj)
                    elif sent < _MOST_OUTPUT:
                        sent += len(piece)
                        connection.send(key.data + piece)
                if self._stopped.is_set():
                    return False
        return True


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_SECONDS_TO_TAKE)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def serving(parent: Parent, folder: str) -> Iterator[tuple[str, Desk]]:
    """The socket's path in ``folder``, and who sits behind it, as long as the sandbox runs."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    path = os.path.join(folder, NAME)
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        listener.bind(path)  # as another sandbox finds it in the kernel's table, and hides it
    else:
        at = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        listener.bind(f"/proc/self/fd/{at}/{NAME}")
        os.close(at)
    listener.listen(_MOST_WAITING)
    listener.setblocking(False)
    desk = Desk(parent, listener)
    thread = threading.Thread(target=desk.attend, daemon=True)
    thread.start()
    try:
        yield path, desk
    finally:
        desk.stop(thread)
