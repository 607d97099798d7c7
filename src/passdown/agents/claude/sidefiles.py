"""The files that subagents write beside a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from passdown.agents.claude.records import RECORD, Record
from passdown.agents.lines import lines

# Agents that the client forks for itself: their traffic is no work of the session.
_CLIENT_AGENTS = ("agent-acompact", "agent-aprompt_suggestion", "agent-aside_question", "agent-asession_memory")


class Described(msgspec.Struct, rename="camel"):
    """``agent-<id>.meta.json``: which call started the subagent."""

    tool_use_id: str | None = None


def side_files(session: Path) -> list[Path]:
    """List the subagents' files of a session: ``<session>/subagents/**/agent-*.jsonl``."""
    folder = session.with_suffix("") / "subagents"
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.rglob("agent-*.jsonl") if not path.stem.startswith(_CLIENT_AGENTS))


def records(path: Path) -> Iterator[Record]:
    """Yield the conversational records of a subagent's file."""
    for _, data, _ in lines(path):
        record = RECORD.decode(data) if data else None
        if record is not None and record.type in {"user", "assistant"}:
            yield record


def call_of(path: Path) -> str | None:
    """Return the id of the call that started the subagent, where the client noted it."""
    try:
        return msgspec.json.decode(path.with_suffix(".meta.json").read_bytes(), type=Described).tool_use_id
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None
