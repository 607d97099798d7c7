"""Stands between Passdown and a check: runs it, ends it on time, and ends what it left behind.

A program of its own (``python -I -S warden.py``, standard library alone), so that on Linux every
process that escapes the check's group becomes this one's child and no other's. It writes one JSON
line to the result descriptor when the check has begun and one when it has ended.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

_SUBREAPER, _PARENT_DEATH = 36, 1
_WATCHED = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_SETTLE = 0.3
"""Seconds that helpers of a check get to vanish by themselves after it ended."""


_NEW_MOUNTS, _NEW_USERS = 0x20000, 0x10000000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18
_KEPT_FLAGS = 2 | 4 | 8
"""nosuid, nodev, noexec: a remount must repeat them."""


def main(timeout: float, grace: float, result: int, mounts: list[Any], argv: list[str]) -> None:
    """Run ``argv``; ``timeout`` 0: none; ``grace``: seconds between TERM and KILL.

    ``mounts``: [] or ``[folder, place, [[source, target], ...]]``: the check finds ``folder`` at ``place``, and in it
    each ``source`` read-only at ``target``.
    """
    os.set_inheritable(result, False)
    _prctl(_SUBREAPER, 1)
    _prctl(_PARENT_DEATH, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    try:
        begin = functools.partial(_begin, mounts)
        child = subprocess.Popen(argv, start_new_session=True, preexec_fn=begin)  # noqa: PLW1509 - one thread
    except OSError as error:
        _tell(result, {"error": f"cannot start: {error.strerror}"})
        return
    except subprocess.SubprocessError:
        _tell(result, {"error": "cannot start: the frozen copy could not be put in the worktree's place"})
        return
    _tell(result, {"pid": child.pid})
    why = _wait(child, time.monotonic() + timeout if timeout else None)
    if why:
        _end(child, grace)
    code = child.wait()
    left = [] if why else _left(child.pid)
    _end(child, grace)
    _tell(result, {"code": code, "why": why, "left": left})


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _begin(mounts: list[Any]) -> None:
    """In the new process, before the check's program starts."""
    if mounts:
        _mount(*mounts)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
    _prctl(_PARENT_DEATH, signal.SIGKILL)


def _mount(folder: str, place: str, bound: list[list[str]]) -> None:
    """Have mounts of one's own, and put the folder in the place's stead."""
    here = Path.cwd()
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
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


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


def _tell(result: int, message: dict[str, object]) -> None:
    os.write(result, json.dumps(message).encode() + b"\n")


def _wait(child: subprocess.Popen[bytes], deadline: float | None) -> str:
    """Wait for the check's end: "", or why it must be ended: ``timeout`` or ``stopped``."""
    while child.poll() is None:
        _reap(child.pid)
        left = 3600.0 if deadline is None else deadline - time.monotonic()
        if left <= 0:
            return "timeout"
        got = signal.sigtimedwait(_WATCHED, left)
        if got is not None and got.si_signo != signal.SIGCHLD:
            return "stopped"
    return ""


def _reap(main_pid: int) -> None:
    """Collect adopted children that ended; the check itself is left to its own wait."""
    for pid in _children().get(os.getpid(), []):
        if pid != main_pid:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue


def _left(main_pid: int) -> list[str]:
    """Command lines of what still runs a moment after the check ended."""
    deadline = time.monotonic() + _SETTLE
    while (alive := _descendants(main_pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return [line for pid in alive if (line := _command_line(pid))]


def _end(child: subprocess.Popen[bytes], grace: float) -> None:
    """TERM to all, then KILL until nothing is left; new ones may be born meanwhile."""
    if not _signal(child, signal.SIGTERM):
        return
    deadline = time.monotonic() + grace
    while time.monotonic() < deadline:
        child.poll()
        if not _descendants(child.pid):
            return
        time.sleep(0.02)
    while _signal(child, signal.SIGKILL):
        child.poll()
        time.sleep(0.01)


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    """Signal every descendant; whether there was one."""
    alive = _descendants(child.pid)
    for pid in alive:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):  # ended meanwhile, or changed its user
            continue
    return bool(alive)


def _descendants(main_pid: int) -> list[int]:
    _reap(main_pid)
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
    for entry in Path("/proc").iterdir() if Path("/proc/self/stat").exists() else ():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    return children


def _state(pid: int) -> str:
    fields = _stat(pid)
    return fields[0] if fields else ""


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
    except OSError:
        return ""


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(0 if _can_mount() else 1)
    main(float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), json.loads(sys.argv[4]), sys.argv[5:])
