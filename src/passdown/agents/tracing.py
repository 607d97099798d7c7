"""One record of a transcript in plain words, so that what is said of it can be looked up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from passdown.agents import stream
from passdown.agents.lines import lines
from passdown.agents.sessions import reader_of
from passdown.errors import PassdownError
from passdown.rules.redact import Redactor

_LONGEST = 4000
_DEEPEST = 8
_PATCH = ("*** Begin Patch", "--- a/")
_BARE: dict[type[stream.Event], str] = {
    stream.Compaction: "the context was summarised",
    stream.TurnStart: "a turn began",
    stream.TurnEnd: "the turn ended",
    stream.BadLine: "a line that is no record",
}
_WROTE = {"create": "created", "modify": "changed", "delete": "deleted", "rename": "renamed"}


class Traced(msgspec.Struct, frozen=True, kw_only=True):
    """``record``: zero-based line of the file; ``what``: what it shows; all of it redacted.

    ``text``: its words, of an edit the lines that went and came, cut if long; ``raw``: the line itself.
    """

    record: int
    at: str | None
    type: str
    what: list[str]
    text: str
    raw: str = ""


def trace(path: Path, record: int, redactor: Redactor | None = None) -> Traced:
    """Describe line ``record`` of ``path``; PassdownError where there is no such line."""
    reader = reader_of(path)
    found = [event for event in reader.read(path) if event.record == record and not isinstance(event, stream.Tail)]
    main = [event for event in found if not getattr(event, "subagent", False)] or found
    clean = redactor or Redactor()
    raw = _line(path, record)
    told = [(what, text) for event in main for what, text in [_told(event)] if what]
    value = _decoded(raw)
    at, kind = _head(value)
    line = raw.decode("utf-8", "replace")
    text = "\n".join(text for _, text in told if text).rstrip()
    asked = [] if text else list(_edits(value))
    text = text or "\n".join(asked) or _laid_out(value, line)
    nothing = "an edit was asked for; a later record says what came of it" if asked else "no fact is taken from it"
    return Traced(
        record=record,
        at=next((event.at for event in main if event.at), at),
        type=kind,
        what=[clean.text(what) for what, _ in told] or [nothing],
        text=_cut(clean.text(text)),
        raw=clean.text(line),
    )


def _line(path: Path, record: int) -> bytes:
    last = -1
    for number, data, _ in lines(path):
        if number == record:
            return data
        last = number
        if number > record:
            break
    raise PassdownError(f"{path} has no record {record}", f"its records are numbered 0 to {last}; empty lines count")


def _decoded(raw: bytes) -> Any:
    """The record's value; None where it is no JSON."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _edits(value: Any, depth: int = 0) -> Iterator[str]:
    """The lines that a call asks to change, wherever it lies in the record: what came of it is another record."""
    if depth > _DEEPEST or not isinstance(value, dict | list):
        return
    if (
        isinstance(value, dict)
        and isinstance(value.get("old_string"), str)
        and isinstance(value.get("new_string"), str)
    ):
        yield f"asked: {value.get('file_path', '')}"
        yield from _changed(value["old_string"], value["new_string"])
        return
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, str) and each.lstrip().startswith(_PATCH):
            yield from each.strip().splitlines()
        else:
            yield from _edits(each, depth + 1)


def _changed(removed: str, added: str) -> Iterator[str]:
    """Lines that went and lines that came."""
    yield from (f"- {line}" for line in removed.splitlines())
    yield from (f"+ {line}" for line in added.splitlines())


def _laid_out(value: Any, line: str) -> str:
    """A record that says nothing known, as JSON that can be read."""
    laid = msgspec.json.format(msgspec.json.encode(value), indent=2) if isinstance(value, dict | list) else b""
    return laid.decode("utf-8", "replace") or line.rstrip("\n")


def _head(value: Any) -> tuple[str | None, str]:
    """The time and the type that the record gives itself."""
    if value is None:
        return None, "no JSON"
    if not isinstance(value, dict):
        return None, "no object"
    inner = value.get("payload")
    kinds = [value.get("type"), inner.get("type") if isinstance(inner, dict) else value.get("subtype")]
    at = value.get("timestamp")
    return at if isinstance(at, str) else None, "/".join(kind for kind in kinds if isinstance(kind, str)) or "no type"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n... {len(text) - _LONGEST} more characters"


def _told(event: stream.Event) -> tuple[str, str]:
    """What an event is, and the words that it carries."""
    match event:
        case stream.Prompt():
            how = {"queued": ", while the agent was busy", "plan": ": the client's words for an accepted plan"}
            return f"the person asked{how.get(event.source, '')}", event.text
        case stream.Choice():
            return f"the person answered{f' {event.question!r}' if event.question else ''}", event.answer
        case stream.Say():
            return "the agent said", event.text
        case stream.ShellCall():
            return f"the agent ran a command{f' in {event.cwd}' if event.cwd else ''}", event.command
        case stream.ShellResult():
            return f"a command {_ended(event)}", event.output
        case stream.FileWrite():
            refused = " (refused or failed)" if event.ok is False else ""
            return f"the agent {_WROTE[event.op]} {event.path} by {event.via}{refused}", _put(event)
        case stream.Plan():
            return "the agent's list", "\n".join(f"[{todo.status}] {todo.text}" for todo in event.todos)
        case stream.Subagent():
            return "a subagent started", event.description
        case stream.Interrupted():
            return "the turn was interrupted", event.reason
        case stream.ApiFailure():
            return f"the model's service failed: {event.kind}", event.text
        case _:
            return _noted(event), ""


def _put(event: stream.FileWrite) -> str:
    """What it put in, where nothing went; else the lines that went and those that came."""
    return "\n".join(_changed(event.removed, event.added)) if event.removed else event.added


def _noted(event: stream.Event) -> str:
    """The same for an event that carries no words of its own."""
    match event:
        case stream.FileRead():
            return f"the agent read {event.path}"
        case stream.PersonEdit():
            return f"somebody else changed {event.path}"
        case stream.Unknown():
            return f"a record of a kind that is not known: {event.type}"
        case stream.Meta():
            names = ("client_version", "session", "cwd", "branch", "model", "forked_from")
            told = [f"{name.replace('_', ' ')} {value}" for name in names if (value := getattr(event, name))]
            return f"about the session: {', '.join(told)}"
    return _BARE.get(type(event), "")


def _ended(result: stream.ShellResult) -> str:
    if not result.executed:
        return "was not executed"
    if result.running:
        return "goes on"
    if result.signal is not None:
        return f"ended by signal {result.signal}"
    if result.exit is not None:
        return f"ended with exit {result.exit}"
    return {True: "succeeded", False: "failed", None: "ended; how, the record does not say"}[result.ok]
