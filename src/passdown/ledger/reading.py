"""From indexed and journalled statements to records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from passdown.ledger import journal, statement
from passdown.ledger.decoding import decode
from passdown.ledger.projection import Row
from passdown.ledger.waiting import examine
from passdown.model.event import Record


def as_record(row: Row, mine: str | None, parts: Mapping[str, type[Any]] | None = None) -> Record | None:
    """The record; None where this version does not know its type or shape. ``parts``: as in ``Ledger.records``."""
    part = parts.get(row.type) if parts else None
    body = statement.body_of(row.type, row.body) if part is None else decode(row.body, part)
    if body is None:
        return None
    return Record(
        id=row.id,
        type=row.type,
        task=row.task,
        at=row.at,
        writer=row.writer,
        order=(row.lamport, row.writer, row.sequence),
        body=body,
        signers=[row.writer] if row.trusted else [],
        here=row.writer == mine,
        trusted=row.trusted,
    )


def journalled_rows(lines: Sequence[bytes]) -> Iterator[tuple[Row, bytes]]:
    """The statements that wait in the journal, after all committed ones of their writer, and their envelopes."""
    for place, line in enumerate(lines):
        waiting = examine(read) if (read := journal.statement(line)) else None
        if waiting is None:
            continue
        said = waiting.said.predicate
        row = Row(
            id=waiting.line.statement,
            type=statement.type_of(waiting.said),
            task=said.task,
            at=said.at,
            writer=said.writer,
            lamport=said.clock.lamport,
            sequence=2**62 + place,
            body=bytes(said.body),
            trusted=waiting.holds,
            unchecked=False,
            people=waiting.people,
        )
        yield row, waiting.sealed
