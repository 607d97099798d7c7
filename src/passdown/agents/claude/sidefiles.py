"""The files that subagents write beside a session, merged into it by time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from passdown.agents.claude.records import RECORD, Record
from passdown.agents.lines import lines
from passdown.agents.stream import Event

if TYPE_CHECKING:
    from passdown.agents.claude.read import Session

# Agents that the client forks for itself: their traffic is no work of the session.
_CLIENT_AGENTS = ("agent-acompact", "agent-aprompt_suggestion", "agent-aside_question", "agent-asession_memory")


class Described(msgspec.Struct, rename="camel"):
    """``agent-<id>.meta.json``: which call started the subagent."""

    agent_type: str | None = None
    tool_use_id: str | None = None


class SideFiles:
    """The subagents' transcripts of one session; each is opened when its time comes."""

    def __init__(self, session: Path) -> None:
        self._waiting: list[tuple[str, int, Path, Iterator[tuple[int, Record]], int, Record]] = []
        for order, path in enumerate(side_files(session)):
            self._push(order, path, records(path))

    def before(self, at: str | None, session: Session) -> Iterator[Event]:
        """Yield the subagents' events up to the time ``at``; all that are left where it is None."""
        while self._waiting and (at is None or self._waiting[0][0] <= at):
            _, order, path, rest, number, record = heapq.heappop(self._waiting)
            yield from session.side(record, number, call_of(path) or path.stem)
            self._push(order, path, rest)

    def _push(self, order: int, path: Path, rest: Iterator[tuple[int, Record]]) -> None:
        found = next(rest, None)
        if found is not None:
            number, record = found
            heapq.heappush(self._waiting, (record.timestamp or "", order, path, rest, number, record))


def side_files(session: Path) -> list[Path]:
    """List the subagents' files of a session: ``<session>/subagents/**/agent-*.jsonl``."""
    folder = session.with_suffix("") / "subagents"
    return sorted(path for path in folder.rglob("agent-*.jsonl") if not path.stem.startswith(_CLIENT_AGENTS))


def records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield the conversational records of a subagent's file."""
    for line in lines(path):
        record = RECORD.decode(line.data) if line.data else None
        if record is not None and record.type in {"user", "assistant"}:
            yield line.number, record


def call_of(path: Path) -> str | None:
    """Return the id of the call that started the subagent, where the client noted it."""
    try:
        return msgspec.json.decode(path.with_suffix(".meta.json").read_bytes(), type=Described).tool_use_id
    except (OSError, msgspec.MsgspecError):
        return None
