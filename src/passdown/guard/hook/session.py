"""What the clients tell besides tool calls: a session begins, stops, is compacted, ends; a subagent comes and goes.

Each event is a fact of the journal at once. What needs the worktree's content or the record goes on as the whole
Passdown. Nothing is refused here: whatever fails ends with 0 and a line.
"""

from __future__ import annotations

import os

from . import gate, lease, parent
from .journal import append
from .place import branch_of, in_force, stands, worktree
from .rules import Rules
from .scan import Json, dumps, read, received, text_of
from .whole import become

WHOLE = ("SessionStart", "Stop", "PreCompact", "SessionEnd")
WORDS = ("source", "trigger", "reason")
"""Fields with one of the client's own words: startup, auto, logout."""
_LONGEST = 40
_NAMED = 8


def main(agent: str, folder: str, common: str) -> int:
    """One event on standard input."""
    event = ""
    try:
        payload = received()
        event = text_of(payload.get("hook_event_name"))
        return told(agent, folder, common, payload)
    except Exception as error:  # noqa: BLE001 -- whatever fails here stops no session
        said = (
            f"Passdown could not follow this session ({type(error).__name__}: {error}); a person runs: passdown doctor"
        )
        line = " ".join(said.split())
        os.write(2, f"{line}\n".encode("utf-8", "backslashreplace"))
        if event == "SessionStart":
            os.write(1, dumps({"systemMessage": line}).encode())
        return 0


def told(agent: str, folder: str, common: str, payload: Json) -> int:
    """Keep the event; answer a subagent's beginning here, hand over what needs more."""
    project = os.environ.get("CLAUDE_PROJECT_DIR")
    place = worktree(stands(payload), common) or (worktree(os.path.realpath(project), common) if project else None)
    if place is None:
        return 0
    if parent.inside():
        return parent.ask(agent, "session", payload)
    event = text_of(payload.get("hook_event_name"))
    rules = in_force(folder, *place, common)
    task = rules.stored["task"] if rules is not None else None
    append(common, "session", task, _fact(agent, payload, place[1], common))
    if rules is not None:
        lease.kept(text_of(rules.stored.get("lease")), payload)
        if gate.compacts(payload):
            gate.close(rules)
    if event == "SubagentStart" and rules is not None and rules.stored["mode"] != "observe":
        output: Json = {"hookEventName": event, "additionalContext": reminder(rules)}
        os.write(1, dumps({"hookSpecificOutput": output}).encode())
        return 0
    if event not in WHOLE or payload.get("stop_hook_active") is True:
        return 0
    program = os.fsdecode(read(folder + "/program").strip())
    if not os.access(program, os.X_OK):
        raise FileNotFoundError("Passdown's own interpreter is gone")
    return become(program, payload, "session_hook", [agent, place[0]])


def _fact(agent: str, payload: Json, git_dir: str, common: str) -> Json:
    """Names and ids alone: no word of a person or a model."""
    names = {"event": "hook_event_name", "session": "session_id", "agent": "agent_id", "transcript": "transcript_path"}
    worktree_name = "main" if git_dir == common else os.path.basename(git_dir)
    data: Json = {"client": agent, "worktree": worktree_name, "branch": branch_of(git_dir)}
    data |= {name: payload[field] for name, field in names.items() if isinstance(payload.get(field), str)}
    word = next((text_of(payload[name]) for name in WORDS if payload.get(name)), "")
    if word.replace("_", "").isalnum() and len(word) <= _LONGEST:
        data["word"] = word
    return {name: _whole(value) for name, value in data.items()}


def _whole(value: object) -> object:
    """Text that the ledger's readers take: no lone surrogate."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def reminder(rules: Rules) -> str:
    """The boundary in one line, for a subagent that has not read the brief."""
    wire: Json = rules.stored["wire"]
    allow, deny = (_paths(wire.get(kind)) for kind in ("allow", "deny"))
    may, never = _listed(allow) or "nothing", _listed(deny)
    told_not = f"; not {never}" if never else ""
    said = f"Passdown: this run may write {may}{told_not}; what is not listed is outside."
    return " ".join(f"{said} To ask for a path: passdown note --ask-widen PATH --because WHY.".split())


def _paths(entries: object) -> list[str]:
    found = entries if isinstance(entries, list) else []
    return [text_of(entry.get("path")).removeprefix("/") for entry in found if isinstance(entry, dict)]


def _listed(paths: list[str]) -> str:
    more = f" and {len(paths) - _NAMED} more (passdown boundary show)" if paths[_NAMED:] else ""
    return ", ".join(paths[:_NAMED]) + more
