"""A Claude Code transcript -> the normalised stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from passdown.agents.claude.records import RECORD, Record
from passdown.agents.claude.session import Session
from passdown.agents.claude.sidefiles import call_of, records, side_files
from passdown.agents.lines import odd, open_transcript
from passdown.agents.merging import ByTime
from passdown.agents.stream import Event
from passdown.agents.wire import AMISS

# A subagent's record that waits for its time, and the call that started the subagent.
Side = tuple[Record, str]


def read(path: Path) -> Iterator[Event]:
    """Yield the events of a transcript and of its subagents' files, in the order of their times.

    What a subagent's own file shows bears the number of the line here that comes next: numbers are of one file.
    """
    session, strict = Session(path), RECORD.strict
    side: ByTime[Side] = ByTime()
    files, last = side_files(path), 0
    waiting, spawned, line = side.waiting, session.spawned, session.line
    for file in files:
        side.add(_of_subagent(file))
    with open_transcript(path) as stream:
        for number, data in enumerate(stream):
            whole = True
            try:
                record: Record | None = strict(data)
            except AMISS:
                if (found := odd(number, data)) is None:
                    continue
                kept, whole = found
                record = RECORD.decode(kept)
            last = number
            if waiting and record is not None and record.timestamp:
                for inner, call in side.before(record.timestamp):
                    yield from session.side(inner, number, call)
            if events := line(number, record, whole=whole):
                yield from events
            while spawned:
                beside = path.with_name(f"agent-{spawned.pop()}.jsonl")
                if beside not in files and beside != path and beside.is_file():
                    files.append(beside)
                    side.add(_of_subagent(beside))
    for inner, call in side.before(None):
        yield from session.side(inner, last, call)
    yield from session.end()


def _of_subagent(path: Path) -> Iterator[tuple[str | None, Side]]:
    call = call_of(path) or path.stem
    for record in records(path):
        yield record.timestamp, (record, call)
