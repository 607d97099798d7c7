"""A Codex rollout -> the normalised stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from passdown.agents.codex.records import RECORD, HistoryBase, Record, whole
from passdown.agents.codex.rollouts import rollout_of
from passdown.agents.codex.session import Session
from passdown.agents.lines import lines, odd, open_transcript
from passdown.agents.merging import ByTime
from passdown.agents.stream import Event, FileRead, FileWrite, Say, ShellCall, ShellResult, Subagent, Unknown
from passdown.agents.wire import AMISS

ANCESTORS = 32
_OF_SUBAGENTS = (FileWrite, FileRead, ShellCall, ShellResult, Say, Subagent)

# A subagent's line that waits for its time: its thread, the record, the line itself.
Side = tuple[Session, Record, bytes]


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a rollout, of the history it was forked from, and of its subagents' rollouts.

    Numbers are of this file alone: inherited lines count backwards from -1, the last one before the fork, and what a
    subagent's rollout shows bears the number of the line here that comes next.
    """
    session, side, known = Session(), ByTime[Side](), {path.absolute()}
    waiting, spawned, line, strict = side.waiting, session.spawned, session.line, RECORD.strict
    records, last, whole = 0, 0, True
    record: Record | None = None
    with open_transcript(path) as stream:
        for number, data in enumerate(stream):
            try:
                record, kept = strict(data), data
            except AMISS:
                if (found := odd(number, data)) is None:
                    continue
                kept, whole = found
                record = RECORD.decode(kept)
            last = number
            records += 1
            if waiting and record is not None and record.timestamp:
                yield from _side(side.before(record.timestamp), number)
            if events := line(number, record, kept):
                yield from events
            if session.base is not None:
                base, session.base = session.base, None
                yield from _inherited(session, path, base, ANCESTORS)
            while spawned:
                beside = rollout_of(spawned.pop(), path)
                if beside is not None and beside.absolute() not in known:
                    known.add(beside.absolute())
                    side.add(_of_subagent(beside, Session(session.calls)))
    yield from _side(side.before(None), last)
    yield from session.end(records, last, cut=record is None and not whole)


def _side(waiting: Iterator[Side], number: int) -> Iterator[Event]:
    for session, record, data in waiting:
        yield from (event for event in session.line(number, record, data) if isinstance(event, _OF_SUBAGENTS))


def _of_subagent(path: Path, session: Session) -> Iterator[tuple[str | None, Side]]:
    for _, data, _ in lines(path):
        record = RECORD.decode(data) if data else None
        if record is not None:
            yield record.timestamp, (session, record, data)


def _inherited(session: Session, child: Path, base: HistoryBase, depth: int, after: int = 0) -> Iterator[Event]:
    """Yield the part of a parent's file that a fork took over, after what the parent itself inherited.

    ``after``: how many inherited lines come after it.
    """
    parent = rollout_of(base.thread_id, child)
    if parent is None or not depth:
        yield Unknown(record=-1 - after, at=None, type="history_base (the parent's rollout is not here)")
        return
    count = sum(1 for _ in _taken_over(parent, base))
    for index, (record, data) in enumerate(_taken_over(parent, base)):
        yield from session.line(index - count - after, record, data)
        head = whole(data) if record is not None and record.type == "session_meta" else None
        if head is not None and head.history_base:
            yield from _inherited(session, parent, head.history_base, depth - 1, after + count)


def _taken_over(parent: Path, base: HistoryBase) -> Iterator[tuple[Record | None, bytes]]:
    """Yield the lines of a parent's file up to the ordinal or the byte at which the fork begins."""
    end = base.end_ordinal_exclusive
    for _, data, _ in lines(parent, until=base.end_byte_offset):
        record = RECORD.decode(data) if data else None
        if record is not None and end is not None and record.ordinal is not None and record.ordinal >= end:
            return
        yield record, data
