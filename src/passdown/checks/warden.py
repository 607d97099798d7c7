"""Stands between Passdown and a check: runs it, ends it on time, and ends what it left behind.

A program of its own (``python -I -S``, standard library alone), so that on Linux every
process that escapes the check's group becomes this one's child and no other's. It writes one JSON
line to the result descriptor when the check has begun and one when it has ended.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import sys
import time

TYPE_CHECKING = False  # the import of typing, json, subprocess or pathlib costs more than a quick check
if TYPE_CHECKING:
    from typing import Any

_SUBREAPER, _PARENT_DEATH = 36, 1
_WATCHED = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_SETTLE = 0.3
"""Seconds that helpers of a check get to vanish by themselves after it ended."""


_NEW_MOUNTS, _NEW_USERS = 0x20000, 0x10000000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18
_KEPT_FLAGS = 2 | 4 | 8
"""nosuid, nodev, noexec: a remount must repeat them."""
_NO_COPY = b"copy"


class Child:
    """The check. ``code``: None while it runs; negative for a signal."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def collect(self) -> bool:
        """Take what ended, the check and what was adopted; whether anything is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._ended(pid, status)

    def wait(self) -> int:
        """The check's code, once it ended."""
        while self.code is None:
            self._ended(*os.waitpid(self.pid, 0))
        return self.code

    def _ended(self, pid: int, status: int) -> None:
        if pid == self.pid:
            self.code = os.waitstatus_to_exitcode(status)


def main(timeout: float, grace: float, result: int, mounts: list[Any], argv: list[str]) -> None:
    """Run ``argv``; ``timeout`` 0: none; ``grace``: seconds between TERM and KILL.

    ``mounts``: [] or ``[folder, place, [[source, target], ...]]``: the check finds ``folder`` at ``place``, and in it
    each ``source`` read-only at ``target``.
    """
    os.set_inheritable(result, False)
    _prctl(_SUBREAPER, 1)
    _prctl(_PARENT_DEATH, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    child, fault = _start(argv, mounts)
    if fault == _NO_COPY:
        _tell(result, error="cannot start: the frozen copy could not be put in the worktree's place")
    elif fault:
        absent = int(fault) == errno.ENOENT and "/" not in argv[0]
        said = f"{argv[0]} is not installed here" if absent else f"cannot start {argv[0]}: {os.strerror(int(fault))}"
        _tell(result, error=said)
    if fault:
        return
    _tell(result, pid=child.pid)
    why = _wait(child, time.monotonic() + timeout if timeout else None)
    if why:
        _end(child, grace)
    code = child.wait()
    left = [] if why else _left(child)
    _end(child, grace)
    _tell(result, code=code, why=why, left=left)


def _start(argv: list[str], mounts: list[Any]) -> tuple[Child, bytes]:
    """The check's process, and why its program could not start: an errno in digits or ``_NO_COPY``; b"": it runs."""
    told, teller = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            _begin(mounts)
            os.write(teller, str(_execute(argv)).encode())
        except OSError:
            os.write(teller, _NO_COPY)
        finally:
            os._exit(127)
    os.close(teller)
    fault = os.read(told, 16)
    os.close(told)
    child = Child(pid)
    if fault:
        child.wait()
    return child, fault


def _execute(argv: list[str]) -> int:
    """Become the program as found on PATH; the errno where that fails."""
    name = argv[0]
    folders = [""] if "/" in name else os.environ.get("PATH", os.defpath).split(os.pathsep)
    found = errno.ENOENT
    for folder in folders:
        try:
            os.execv(os.path.join(folder, name), argv)  # noqa: S606 - as it was declared, without a shell
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                found = error.errno or found
    return found


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _begin(mounts: list[Any]) -> None:
    """In the new process, before the check's program starts."""
    if mounts:
        _mount(*mounts)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
    _prctl(_PARENT_DEATH, signal.SIGKILL)


def _mount(folder: str, place: str, bound: list[list[str]]) -> None:
    """Have mounts of one's own, and put the folder in the place's stead."""
    here = os.getcwd()
    _own_mounts()
    _bind("none", "/", _RECURSIVE | _PRIVATE)
    for source, target in bound:
        _bind(source, target, _BIND | _RECURSIVE)
        flags = os.statvfs(target).f_flag & _KEPT_FLAGS
        _bind("none", target, _BIND | _REMOUNT | _READ_ONLY | flags)
    _bind(folder, place, _BIND | _RECURSIVE)
    os.chdir(here)  # the folder of this name as it is now


def _own_mounts() -> None:
    """Root may have them; anybody else as the root of nobody but themselves."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0 and libc.unshare(_NEW_MOUNTS) == 0:
        return
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(_NEW_MOUNTS | _NEW_USERS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{user} {user} 1")
    _write("/proc/self/gid_map", f"{group} {group} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _bind(source: str, target: str, flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(os.fsencode(source), os.fsencode(target), None, ctypes.c_ulong(flags), None) != 0:
        raise OSError(ctypes.get_errno(), "mount", target)


def _can_mount() -> bool:
    """Whether a check may have mounts of its own here: tried on the root folder."""
    try:
        _own_mounts()
        _bind("none", "/", _RECURSIVE | _PRIVATE)
        _bind("/", "/", _BIND)
    except OSError:
        return False
    return True


def _tell(result: int, **message: object) -> None:
    os.write(result, _json(message).encode() + b"\n")


def _json(message: dict[str, object]) -> str:
    if any(isinstance(value, list) and value for value in message.values()) or "error" in message:
        import json

        return json.dumps(message)
    plain = {name: f'"{value}"' if isinstance(value, str) else value for name, value in message.items()}
    return "{" + ", ".join(f'"{name}": {value}' for name, value in plain.items()) + "}"


def _wait(child: Child, deadline: float | None) -> str:
    """Wait for the check's end: "", or why it must be ended: ``timeout`` or ``stopped``."""
    while True:
        child.collect()
        if child.code is not None:
            return ""
        left = 3600.0 if deadline is None else deadline - time.monotonic()
        if left <= 0:
            return "timeout"
        got = signal.sigtimedwait(_WATCHED, left)
        if got is not None and got.si_signo != signal.SIGCHLD:
            return "stopped"


def _left(child: Child) -> list[str]:
    """Command lines of what still runs a moment after the check ended."""
    deadline = time.monotonic() + _SETTLE
    while (alive := _descendants(child)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return [line for pid in alive if (line := _command_line(pid))]


def _end(child: Child, grace: float) -> None:
    """TERM to all, then KILL until nothing is left; new ones may be born meanwhile."""
    if not _signal(child, signal.SIGTERM):
        return
    deadline = time.monotonic() + grace
    while time.monotonic() < deadline:
        if not _descendants(child):
            return
        time.sleep(0.02)
    while _signal(child, signal.SIGKILL):
        time.sleep(0.01)


def _signal(child: Child, number: int) -> bool:
    """Signal every descendant; whether there was one."""
    alive = _descendants(child)
    for pid in alive:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):  # ended meanwhile, or changed its user
            continue
    return bool(alive)


def _descendants(child: Child) -> list[int]:
    """What still runs below this process: where it has no child there is none, for every orphan becomes its own."""
    if not child.collect():
        return []
    children = _children()
    found: list[int] = []
    queue = list(children.get(os.getpid(), []))
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children.get(pid, [])
    return [pid for pid in found if _state(pid) not in {"Z", ""}]


def _children() -> dict[int, list[int]]:
    """Parent -> its children, of all processes that can be seen."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.exists("/proc/self/stat") else ():
        if name.isdigit() and (fields := _stat(int(name))):
            children.setdefault(int(fields[1]), []).append(int(name))
    return children


def _state(pid: int) -> str:
    fields = _stat(pid)
    return fields[0].decode() if fields else ""


def _stat(pid: int) -> list[bytes]:
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _command_line(pid: int) -> str:
    return _read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode("utf-8", "replace").strip()


def _read(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def program(args: list[str]) -> None:
    """Run as told: time-out, grace, result descriptor, mounts, command; nothing told: say whether it can mount."""
    if not args:
        sys.exit(0 if _can_mount() else 1)
    told = []
    if args[3] != "[]":
        import json

        told = json.loads(args[3])
    main(float(args[0]), float(args[1]), int(args[2]), told, args[4:])
