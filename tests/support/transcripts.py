"""Single records in the real formats, and what a reader makes of them, for tables of traps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from passdown.agents import claude, codex, stream

ENVELOPE = {
    "sessionId": "11111111-2222-4333-8444-555555555555",
    "cwd": "/home/dev/app",
    "gitBranch": "main",
    "version": "2.1.332",
    "isSidechain": False,
}
_count = 0


def _next() -> int:
    global _count  # noqa: PLW0603 - records need ids of their own
    _count += 1
    return _count


def _at() -> str:
    return f"2026-11-30T10:{_count // 60 % 60:02d}:{_count % 60:02d}.000Z"


# Claude Code
def user(content: Any, **more: Any) -> dict[str, Any]:
    """A user record: a string, or a list of blocks."""
    number = _next()
    head = {"type": "user", "uuid": f"u{number}", "parentUuid": f"p{number}", "timestamp": _at(), **ENVELOPE}
    return {**head, "message": {"role": "user", "content": content}, **more}


def assistant(*blocks: Any, stop: str | None = None, model: str = "claude-opus-5-5", **more: Any) -> dict[str, Any]:
    """An assistant record; a string is a text block."""
    number = _next()
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"id": f"msg{number}", "role": "assistant", "model": model, "content": content, "stop_reason": stop}
    return {"type": "assistant", "uuid": f"u{number}", "timestamp": _at(), **ENVELOPE, "message": message, **more}


def system(subtype: str, **more: Any) -> dict[str, Any]:
    """A system record."""
    return {"type": "system", "subtype": subtype, "uuid": f"u{_next()}", "timestamp": _at(), **ENVELOPE, **more}


def attachment(**body: Any) -> dict[str, Any]:
    """An attachment record."""
    return {"type": "attachment", "uuid": f"u{_next()}", "timestamp": _at(), **ENVELOPE, "attachment": body}


def queue(operation: str, content: str | None = None) -> dict[str, Any]:
    """A queue-operation record."""
    more = {} if content is None else {"content": content}
    _next()
    return {"type": "queue-operation", "operation": operation, "timestamp": _at(), "sessionId": "s", **more}


def tool(name: str, call_id: str, **given: Any) -> dict[str, Any]:
    """A tool_use block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(call_id: str, text: Any, *, error: bool | None = None, **more: Any) -> dict[str, Any]:
    """A user record with one tool_result; ``more`` are fields of the record."""
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id, "content": text}
    if error is not None:
        block["is_error"] = error
    return user([block], **more)


def stdout(text: str = "", **more: Any) -> dict[str, Any]:
    """The ``toolUseResult`` of a shell call that ended well."""
    return {"toolUseResult": {"stdout": text, "stderr": "", "interrupted": False, "isImage": False, **more}}


# Codex
def meta(**more: Any) -> dict[str, Any]:
    """A session_meta line."""
    payload = {
        "id": "01a0",
        "cwd": "/home/dev/app",
        "cli_version": "0.142.2",
        "source": "cli",
        "git": {"branch": "main"},
    }
    return line("session_meta", **{**payload, **more})


def line(kind: str, /, **payload: Any) -> dict[str, Any]:
    """An enveloped line."""
    _next()
    return {"timestamp": _at(), "type": kind, "payload": payload}


def event(kind: str, /, **payload: Any) -> dict[str, Any]:
    """An event_msg."""
    return line("event_msg", type=kind, **payload)


def item(kind: str, /, **payload: Any) -> dict[str, Any]:
    """A response_item."""
    return line("response_item", type=kind, **payload)


def done(kind: str, /, **payload: Any) -> dict[str, Any]:
    """An item_completed event of the newest era."""
    return event("item_completed", item={"type": kind, **payload})


def function(name: str, call_id: str, **arguments: Any) -> dict[str, Any]:
    """A function_call with its arguments as a string of JSON."""
    return item("function_call", name=name, call_id=call_id, arguments=json.dumps(arguments))


def output(call_id: str, text: Any) -> dict[str, Any]:
    """A function_call_output."""
    return item("function_call_output", call_id=call_id, output=text)


def message(role: str, text: str, **more: Any) -> dict[str, Any]:
    """A message among the response items."""
    kind = "input_text" if role == "user" else "output_text"
    return item("message", role=role, content=[{"type": kind, "text": text}], **more)


# files and what is read out of them
def put(path: Path, records: Iterable[Any]) -> Path:
    """Write records, one a line; bytes and strings stand as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        one if isinstance(one, bytes) else one.encode() if isinstance(one, str) else json.dumps(one).encode()
        for one in records
    ]
    path.write_bytes(b"".join(one + b"\n" for one in lines))
    return path


def read_claude(path: Path, *records: Any) -> list[stream.Event]:
    """The events of a Claude Code transcript of these records."""
    return list(claude.read(put(path, records)))


def read_codex(path: Path, *records: Any) -> list[stream.Event]:
    """The events of a Codex rollout of these lines."""
    return list(codex.read(put(path, records)))


def seen(events: list[stream.Event]) -> list[tuple[Any, ...]]:
    """The events in short, those about the session itself left out."""
    return [brief for one in events if (brief := _brief(one))]


def _brief(one: stream.Event) -> tuple[Any, ...]:  # noqa: C901, PLR0912 - one case an event
    match one:
        case stream.Prompt(text=text, source=source):
            return ("prompt", text) if source == "typed" else ("prompt", text, source)
        case stream.ShellCall(command=command, subagent=subagent):
            return ("run", command, "subagent") if subagent else ("run", command)
        case stream.ShellResult(executed=False):
            return ("not run",)
        case stream.ShellResult(running=True):
            return ("running",)
        case stream.ShellResult(exit=code, ok=ok):
            return ("ended", code, ok)
        case stream.FileWrite(executed=False, path=path):
            return ("not written", path)
        case stream.FileWrite(path=path, op=op, ok=ok, to=to, subagent=subagent):
            return (op, path, ok, *([to] if to else []), *(["subagent"] if subagent else []))
        case stream.Say(text=text, subagent=False):
            return ("say", text)
        case stream.Plan(todos=todos):
            return ("plan", *((todo.text, todo.status) for todo in todos))
        case stream.Choice(question=question, answer=answer):
            return ("choice", question, answer)
        case stream.PersonEdit(path=path):
            return ("person edit", path)
        case stream.FileRead(path=path):
            return ("read", path)
        case stream.ApiFailure(kind=kind, resets=resets, retried=retried):
            return ("failure", kind, resets, *(["retried"] if retried else []))
        case stream.Interrupted():
            return ("interrupted",)
        case stream.Compaction():
            return ("compaction",)
        case stream.Subagent():
            return ("subagent",)
        case stream.Unknown(type=kind):
            return ("unknown", kind)
        case stream.BadLine():
            return ("bad line",)
    return ()
