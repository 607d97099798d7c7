"""What the hook keeps: one line a path, with rule, tool and ids, and no free text."""

from __future__ import annotations

import fcntl
import os
import time

from . import parent
from .rules import Rules
from .scan import Json, dumps


def keep(rules: Rules, payload: Json, touch: tuple[str, str, str] | None, *, rule: str = "") -> None:
    """One line in the journal: path, rule, tool and ids; a journal that cannot be written changes no answer."""
    names = {"session": "session_id", "call": "tool_use_id", "agent": "agent_id", "tool": "tool_name"}
    data: Json = {name: payload[field] for name, field in names.items() if isinstance(payload.get(field), str)}
    if touch is not None:
        path = touch[1].encode("utf-8", "backslashreplace").decode()  # the ledger's readers take no lone surrogate
        data |= {"where": touch[0], "path": path, "rule": touch[2]}
    elif rule:
        data["rule"] = rule
    append(rules.common, "touch" if touch else "heartbeat", rules.stored["task"], data)


def append(common: str, kind: str, task: object, data: Json) -> None:
    """One fact, by one write; a journal that cannot be written changes nothing."""
    if "PASSDOWN_ASKED_FROM_INSIDE" in os.environ:
        data = {**data, "observed_by": "agent-side"}
    now = time.time()
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
    record: Json = {"id": os.urandom(16).hex(), "kind": kind, "at": at, "task": task, "data": data}
    journal = common + "/passdown/journal"
    try:
        lock = os.open(journal + "/lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        for _ in range(400):
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.005)
                continue
            out = os.open(journal + "/open", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            os.write(out, b"\n" + dumps(record).encode() + b"\n")
            os.close(out)
            break
        os.close(lock)  # what goes on as the whole Passdown may want it alone
    except OSError:
        parent.tell(kind, data)
