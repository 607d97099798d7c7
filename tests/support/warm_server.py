"""A process that has loaded Passdown and forks one process of its own for every call: a program, started by `warm`.

Nothing but loading is shared. What a call gets (arguments, folder, environment, streams) comes with the call; this
process itself has no home and next to no environment, so that a module that reads them while it loads is found out.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import pickle
import pkgutil
import select
import signal
import socket
import sys
import time
from contextlib import suppress

NOT_LOADED = ("passdown.mcp",)
"""Heavy, and no part of any other command."""
FOREIGN = (
    *("base64", "csv", "difflib", "encodings.ascii", "encodings.idna", "json", "pathspec", "shlex", "shutil"),
    *("tempfile", "tree_sitter", "unicodedata", "urllib.parse"),
)
"""What the package imports inside functions."""
HIGH = 128
"""Above every descriptor that a call is given."""


def load() -> None:
    """Load every module of the package, the heavy ones aside, and what reading records needs of each type."""
    import msgspec  # noqa: PLC0415 -- measured, and told where it fails

    import passdown  # noqa: PLC0415 -- same
    from passdown.model import event  # noqa: PLC0415 -- same
    from passdown.rules import patterns  # noqa: PLC0415 -- same

    for name in FOREIGN:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(passdown.__path__, "passdown."):
        if not module.name.startswith(NOT_LOADED):
            importlib.import_module(module.name)
    for kind in event.TYPES:
        msgspec.json.Decoder(kind)  # its fields' types are looked up once and kept with the class
    for lazy in [each for each in gc.get_objects() if isinstance(each, patterns._Lazy)]:
        lazy.match("")  # a command compiles what it needs: a third of its time
    gc.collect()
    gc.freeze()  # shared pages stay shared


def serve(control: socket.socket) -> list[int]:
    """Fork for every call until nobody calls any more; a call's own process comes back with its descriptors."""
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            with suppress(BlockingIOError):
                os.read(woken, 4096)
            _report(running)
        if control.fileno() in ready:
            called, given, _, _ = socket.recv_fds(control, 1, 16)
            if not called:
                sys.exit()
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                return given
            os.write(given[3], f"{pid}\n".encode())
            running[pid] = given[3]
            for descriptor in (*given[:3], *given[4:]):
                os.close(descriptor)


def _report(running: dict[int, int]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        answer = running.pop(pid)
        with suppress(BrokenPipeError):  # the caller gave up
            os.write(answer, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os.close(answer)


def become(given: list[int]) -> None:
    """Be the called process as a fresh interpreter finds itself: its streams, signals, environment, folder."""
    with open(given[3], "rb", closefd=False) as file:
        argv, folder, environment, mask, session, numbers = pickle.loads(file.read())
    more = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, HIGH) for descriptor in given[4:]]
    for number in range(3):
        os.dup2(given[number], number)
    os.closerange(3, HIGH)
    for number, descriptor in zip(numbers, more, strict=True):
        os.dup2(descriptor, number)
    os.closerange(HIGH, 1 << 16)
    if session:
        os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask(mask)
    os.environ.clear()
    os.environb.update(environment)
    time.tzset()
    os.chdir(folder)
    sys.argv = argv
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        new = open(  # noqa: SIM115 -- it stays open
            number, "w" if number else "r", encoding=old.encoding, errors=old.errors, closefd=False
        )
        if number == 2:
            new.reconfigure(line_buffering=True)
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


if __name__ == "__main__":
    load()
    become(serve(socket.socket(fileno=int(sys.argv[1]))))
    from passdown.cli.main import main

    main()  # it leaves the process itself
