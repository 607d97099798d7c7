"""The lease of one worktree: which agent's run is active there, by its process and its session.

``<common>/passdown/lease/<worktree>.json``, written by `passdown resume`; an agent's hooks keep it. It binds while the
process lives: a number that is used again has another start.
"""

from __future__ import annotations

import os

from .scan import Json, dumps, loads, read, text_of

SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "env", "timeout", "nohup", "xargs"))
_START, _PARENT, _STATE = 19, 1, 0  # places in /proc/PID/stat, counted after the program's name


def path_of(common: str, worktree: str) -> str:
    """Where the lease of a worktree lies; ``worktree``: its name among the guard's rules."""
    return f"{common}/passdown/lease/{worktree}.json"


def load(path: str) -> Json | None:
    """The lease, None where there is none that can be read."""
    try:
        found = loads(read(path).decode("utf-8", "surrogateescape"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def store(path: str, lease: Json) -> None:
    """Write it whole or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    aside = f"{path}.{os.getpid()}"
    with open(aside, "w", encoding="ascii") as out:
        out.write(dumps(lease))
    os.replace(aside, path)


def stat(pid: int) -> list[str]:
    """The kernel's fields of a process after its name; [] where there is none, or no such kernel."""
    try:
        return read(f"/proc/{pid}/stat").decode("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def started(pid: int) -> str:
    """When a process began, as its system counts; "" where it does not live."""
    fields = stat(pid)
    if fields:
        return "" if fields[_STATE] in "ZX" else fields[_START]
    if os.path.isdir("/proc/self"):
        return ""
    try:
        os.kill(pid, 0)
    except PermissionError:
        return "alive"
    except OSError:
        return ""
    return "alive"


def space() -> str:
    """The boot and the process numbers' space: elsewhere a number means another process."""
    try:
        return os.readlink("/proc/self/ns/pid") + read("/proc/sys/kernel/random/boot_id").decode().strip()
    except OSError:
        return ""


def ancestors() -> list[int]:
    """The processes above this one, the nearest first."""
    found: list[int] = []
    pid = os.getppid()
    while pid > 1 and len(found) < 64:  # noqa: PLR2004 -- against a loop that a torn read could make
        found.append(pid)
        fields = stat(pid)
        pid = int(fields[_PARENT]) if fields else 0
    return found


def client(above: list[int]) -> int:
    """The nearest process above that is no shell and no helper of ours: the agent's client; 0 where none is."""
    for pid in above:
        try:
            name = read(f"/proc/{pid}/comm").decode("utf-8", "replace").strip()
        except OSError:
            return pid
        if name not in SHELLS and not name.startswith(("python", "passdown")):
            return pid
    return 0


def kept(path: str, payload: Json) -> str:
    """Keep the lease for its session; why this session may not write here any more, "" where it may."""
    lease = load(path)
    session = text_of(payload.get("session_id"))
    if lease is None or not session:
        return ""
    gone = lease.get("displaced")
    if isinstance(gone, list) and session in gone:
        who, since = text_of(lease.get("agent")) or "another run", text_of(lease.get("since"))[11:16]
        return f"this run was ended here: {who} took the worktree over at {since} UTC. Stop, and tell the person."
    try:
        _keep(path, lease, session)
    except OSError:  # a sandbox keeps it read-only: then the process alone tells
        return ""
    return ""


def _keep(path: str, lease: Json, session: str) -> None:
    """Say that it lives; a session that nobody else has yet takes it."""
    if lease.get("session") == session:
        os.utime(path)
        return
    above, pid = ancestors(), lease.get("pid")
    if pid in above or (not pid and not lease.get("session")):
        mine = pid if isinstance(pid, int) and pid in above else client(above)
        store(path, lease | {"session": session, "pid": mine, "start": started(mine), "space": space()})
