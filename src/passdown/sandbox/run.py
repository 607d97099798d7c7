"""Running a command confined: start, pass signals on, wait."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.sandbox import bubblewrap, enter, landlock, seccomp, seen
from passdown.sandbox.broker import Desk, Parent, serving
from passdown.sandbox.bubblewrap import Support, nul_separated
from passdown.sandbox.environment import PRIVATE
from passdown.sandbox.home import SOCKETS
from passdown.sandbox.placeholders import standing
from passdown.sandbox.plan import Plan

_FROM_KEYS = (signal.SIGINT, signal.SIGQUIT)
_FROM_TERMINAL = (*_FROM_KEYS, signal.SIGWINCH)
_PASSED_ON = (*_FROM_TERMINAL, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
_BY_SIGNAL = 128


class Job(Struct, frozen=True):
    """What is run, where and with which variables."""

    command: Sequence[str]
    cwd: str
    env: Mapping[str, str]


def run_confined(plan: Plan, job: Job, support: Support, parent: Parent | None = None) -> tuple[int, Desk | None]:
    """Under both; the command's exit code, 128 + N where signal N ended it. ``parent``: what serves it from outside."""
    with standing(plan.placeholders), tempfile.TemporaryDirectory(prefix="passdown-") as scratch:
        if parent is None:
            return _confined(plan, job, support, scratch, ()), None
        with serving(parent, scratch) as (path, desk):
            return _confined(plan, job, support, scratch, bubblewrap.socket(path)), desk


def _confined(plan: Plan, job: Job, support: Support, scratch: str, more: Iterable[str]) -> int:
    empty = Path(scratch, "empty")
    empty.touch(0o444)
    alone = not _keeps_terminal()
    options = bubblewrap.words(plan, str(empty), cwd=job.cwd, new_session=alone)
    told = _listed("options", nul_separated([*support.extra, *options, *more]))
    grants = _listed(
        "plan", _plan(plan.of("writable", "scratch"), _seen(plan), filtered=not alone and not _takes_no_typing())
    )
    status, writes = os.pipe()
    inner = [sys.executable, "-I", "-S", enter.__file__, str(grants), *job.command]
    outer = [support.program, "--json-status-fd", str(writes), "--args", str(told), "--", *inner]
    process = _start(outer, job.env, (told, grants, writes), new_session=alone)
    os.set_blocking(status, False)
    with os.fdopen(status) as said, _passing_on(process, _Inner(said.fileno()), own_session=alone):
        return _code(process)


def run_by_landlock(plan: Plan, job: Job) -> int:
    """With Landlock alone, and with nothing at all where the kernel has none: what `--advisory` goes on with."""
    with tempfile.TemporaryDirectory(prefix="passdown-") as scratch:
        places = [*plan.of("writable"), *_open_anyway(plan), scratch]
        grants = _listed("plan", _plan(places, [], filtered=False) if landlock.support() else b"null")
        inner = [sys.executable, "-I", "-S", enter.__file__, str(grants), *job.command]
        private = {"TMPDIR": scratch} | {name: f"{scratch}/{name}" for name in PRIVATE}
        process = _start(inner, {**job.env, **private}, (grants,), new_session=False)
        with _passing_on(process, None, own_session=False):
            return _code(process)


def _plan(places: Sequence[str], known: Sequence[seen.Known], *, filtered: bool) -> bytes:
    """``filtered``: it runs only where typing into the terminal can be refused to it."""
    return json.dumps({"places": places, "seen": known, "filtered": filtered}).encode("ascii")


def _seen(plan: Plan) -> list[seen.Known]:
    """What must be in its place once everything is mounted: whatever lies where something inside may write."""
    writable = plan.of("writable")
    below = tuple(f"{path}/" for path in writable)
    try:
        return seen.known(writable, [path for path in plan.of("read-only") if path.startswith(below)])
    except OSError as error:
        raise PassdownError("the worktree changed while it was looked at: nothing was run", "type it again") from error


def _open_anyway(plan: Plan) -> list[str]:
    """Temporary folders that programs expect, but where something lies that must not be written."""
    closed = plan.of("read-only")
    return [
        path
        for path in plan.of("scratch")
        if path != SOCKETS and not any(each.startswith(f"{path}/") for each in closed)
    ]


def _start(
    argv: Sequence[str], env: Mapping[str, str], given: tuple[int, ...], *, new_session: bool
) -> subprocess.Popen[bytes]:
    """Start it deaf to what a terminal's keys send to all: bubblewrap would end by it, the launcher hears it again."""
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in _FROM_KEYS]
    try:
        return subprocess.Popen(argv, env=dict(env), pass_fds=given, start_new_session=new_session)
    except OSError as error:
        raise PassdownError(f"cannot run {argv[0]}: {error.strerror}") from error
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        for inherited in given:
            os.close(inherited)


class _Inner:
    """The command's own process, as seen from here; bubblewrap tells its parent's number when it is made."""

    def __init__(self, status: int) -> None:
        self._status = status
        self._parent = 0

    def pid(self) -> int | None:
        if not self._parent:
            with suppress(BlockingIOError):
                first = os.read(self._status, 4096).partition(b"\n")[0]
                self._parent = int(json.loads(first)["child-pid"]) if first else 0
        try:
            children = Path(f"/proc/{self._parent}/task/{self._parent}/children").read_text("ascii").split()
        except OSError:
            return None
        return int(children[0]) if children else None


@contextmanager
def _passing_on(process: subprocess.Popen[bytes], inner: _Inner | None, *, own_session: bool) -> Iterator[None]:
    """Signals that reach us go to the command; what a terminal's keys send reaches it anyway in a session we share."""

    def pass_on(number: int, _frame: FrameType | None) -> None:
        if number in _FROM_TERMINAL and not own_session and sys.stdin is not None and sys.stdin.isatty():
            return
        target = inner.pid() if inner is not None else process.pid
        with suppress(ProcessLookupError):
            if target is None:  # nothing runs yet
                if number != signal.SIGWINCH:
                    process.terminate()
            elif own_session and number in _FROM_TERMINAL:
                os.killpg(os.getpgid(target), number)
            else:
                os.kill(target, number)

    before = {number: signal.signal(number, pass_on) for number in _PASSED_ON}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _code(process: subprocess.Popen[bytes]) -> int:
    code = process.wait()
    return code if code >= 0 else _BY_SIGNAL - code


def _listed(name: str, content: bytes) -> int:
    """An open file that nothing names and nobody else can write."""
    made = os.memfd_create(name)
    with os.fdopen(os.dup(made), "wb") as file:
        file.write(content)
    os.lseek(made, 0, os.SEEK_SET)
    return made


def _keeps_terminal() -> bool:
    """Whether it may stay in our session, so that Ctrl-C and job control work: nothing is typed into a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and (seccomp.known() or _takes_no_typing())


def _takes_no_typing() -> bool:
    """Whether this kernel takes no typing from programs."""
    try:
        return Path("/proc/sys/dev/tty/legacy_tiocsti").read_text("ascii").strip() == "0"
    except OSError:
        return False
