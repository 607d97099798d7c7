"""The sessions of this machine: read one, list those of a worktree, pick one by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from passdown.agents import claude, codex
from passdown.agents.alive import at_work, left_behind
from passdown.agents.lines import first_lines
from passdown.agents.protocol import AgentReader, FoundSession
from passdown.errors import PassdownError
from passdown.model.session import SessionFacts
from passdown.rules.redact import Redactor

READERS: tuple[AgentReader, ...] = (claude, codex)
HEAD = 50  # lines; the first ones may be broken or say nothing


def read_session(path: Path, *, redactor: Redactor | None = None, outputs: bool = True) -> SessionFacts:
    """Facts of the transcript at ``path``, known by its content; PassdownError where it is none.

    Without ``outputs`` only a command that failed shows the end of its output: all that a packet asks for.
    """
    from passdown.agents.facts.gather import gather  # noqa: PLC0415 - most commands list sessions and read none

    reader = reader_of(path)
    return _as_it_is_now(gather(reader.read(path), agent=reader.name, redactor=redactor, outputs=outputs), path)


def _as_it_is_now(facts: SessionFacts, path: Path) -> SessionFacts:
    """A transcript without an end goes on where its client is at work, and broke off where that was killed."""
    if facts.end.reason not in ("truncated", "unknown") or facts.session is None:
        return facts
    where = (facts.agent, facts.session, path.absolute())
    process = at_work(*where)
    killed = left_behind(*where) if process is None else None
    if process is not None:
        end = structs.replace(facts.end, reason="running", because=f"process {process} is at work on it")
    elif killed is not None:
        because = f"its client, process {killed}, ended without taking leave: {facts.end.because}"
        end = structs.replace(facts.end, reason="crashed", because=because)
    else:
        return facts
    return structs.replace(facts, end=end)


def reader_of(path: Path) -> AgentReader:
    """Find the agent whose transcript ``path`` is; PassdownError where it is none that is known."""
    start = first_lines(path, HEAD)
    if not start:
        raise PassdownError(f"{path} is empty: it holds no session", "`passdown session --list` shows those found")
    for reader in READERS:
        if reader.sniff(start):
            return reader
    names = "Claude Code (~/.claude/projects) or Codex (~/.codex/sessions)"
    raise PassdownError(f"{path} is no transcript that Passdown can read", f"name a .jsonl file of {names}")


def find_sessions(root: Path, env: Mapping[str, str]) -> list[FoundSession]:
    """Sessions that worked in the worktree ``root``, newest first by their last record."""
    found = [session for reader in READERS for session in reader.find(root, env)]
    return sorted(found, key=lambda session: (session.modified, str(session.path)), reverse=True)


def pick(name: str, root: Path, env: Mapping[str, str]) -> Path:
    """Find the transcript that ``name`` means: a file, an id or its beginning; PassdownError if none or several."""
    if os.sep in name or name.endswith((".jsonl", ".zst")) or Path(name).is_file():
        if not Path(name).exists():
            raise PassdownError(f"there is no transcript {name}", "`passdown session --list` shows those found")
        return Path(name)
    found = [session for session in find_sessions(root, env) if name and session.session.startswith(name)]
    exact = [session for session in found if session.session == name] or found
    if not exact:
        raise PassdownError(f"no session {name!r} worked in {root}", "`passdown session --list` shows those that did")
    if len({session.session for session in exact}) > 1:
        ids = ", ".join(session.session for session in exact[:4])
        raise PassdownError(f"{name!r} means several sessions: {ids}", "give more of the id")
    return exact[0].path
