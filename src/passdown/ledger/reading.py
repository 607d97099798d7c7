"""From indexed and journalled statements to records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passdown.ledger import envelope, journal, statement
from passdown.ledger.projection import Row
from passdown.model.event import Record


def as_record(row: Row, mine: str | None) -> Record | None:
    """The record; None where this version does not know its type or shape."""
    body = statement.body_of(row.type, row.body)
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
    if not lines:
        return
    from passdown.ledger.keys import signed_by  # noqa: PLC0415 - an empty journal needs no cryptography

    for place, line in enumerate(lines):
        waiting = journal.statement(line)
        opened = envelope.read(bytes(waiting.envelope)) if waiting else None
        read = statement.read(opened[1]) if opened else None
        if waiting is None or opened is None or read is None:
            continue
        said = read.predicate
        whole = envelope.statement_id(opened[1]) == waiting.statement
        row = Row(
            id=waiting.statement,
            type=statement.type_of(read),
            task=said.task,
            at=said.at,
            writer=said.writer,
            lamport=said.clock.lamport,
            sequence=2**62 + place,
            body=bytes(said.body),
            trusted=whole and signed_by(*opened, said.writer, waiting.public),
            unchecked=False,
            people=len(opened[0].signatures) > 1,
        )
        yield row, bytes(waiting.envelope)
