"""What the guard heard: an agent's note or read-back, recorded by its hook before the command itself runs.

Some clients' sandboxes keep ``.git`` read-only for commands, and never for hooks. So the hook records what was typed,
and the command that then runs finds it in the record and says how it went.
"""

from __future__ import annotations

import contextlib
import os
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from passdown.cli.agent_process import running_agent
from passdown.errors import PassdownError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from passdown.cli.context import Context
    from passdown.model.event import Note, ReadBack, Record

Said = TypeVar("Said", "Note", "ReadBack")
_CALL: ContextVar[str | None] = ContextVar("call", default=None)
_SESSION: ContextVar[str] = ContextVar("session", default="")
_FRESH = 600.0
"""Seconds after which a command is not the one that the hook heard."""


def by_agent() -> bool:
    """Whether an agent says it: in a process of its client, or through its hook."""
    return _CALL.get() is not None or running_agent(os.environ) is not None


def call() -> str | None:
    """The agent's call that is heard right now; None where the command itself runs."""
    return _CALL.get()


def session() -> str | None:
    """The agent's session that says it, as far as its client tells; None where a person says it, or nobody knows."""
    return _SESSION.get() or os.environ.get("CLAUDE_CODE_SESSION_ID") or None


@contextlib.contextmanager
def said_by(call_id: str, session_id: str) -> Iterator[None]:
    """Whatever is said meanwhile, the agent says by this call of its session."""
    kept = _CALL.set(call_id), _SESSION.set(session_id)
    try:
        yield
    finally:
        _CALL.reset(kept[0])
        _SESSION.reset(kept[1])


def need_record(context: Context) -> None:
    """Raise where an agent's sandbox keeps the record read-only: how it is heard all the same."""
    if running_agent(os.environ) is not None and not os.access(context.place.common_dir, os.W_OK):
        raise PassdownError(
            "this sandbox keeps the record read-only, and no hook of Passdown heard this: nothing was recorded",
            "type it as one plain command, alone, with the guard's hooks in place; or use the MCP tool",
        )


def heard(context: Context, kind: type[Said], same: Callable[[Said], bool]) -> tuple[Record, Said] | None:
    """What the hook recorded of this very command, None where none did; for an agent's command alone."""
    if _CALL.get() is not None or running_agent(os.environ) is None:
        return None
    now = datetime.fromisoformat(context.now)
    for record in reversed(context.recorder.records()):
        if abs((now - datetime.fromisoformat(record.at)).total_seconds()) > _FRESH:
            continue
        body = record.body
        if record.here and isinstance(body, kind) and body.call is not None and same(body):
            return record, body
    return None
