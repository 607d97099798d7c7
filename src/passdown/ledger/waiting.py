"""A statement that waits in the journal, opened and checked."""

from __future__ import annotations

from msgspec import Struct

from passdown.ledger import envelope, statement
from passdown.ledger.journal import Journalled
from passdown.ledger.statement import MAX_LAMPORT, Statement


class Waiting(Struct, frozen=True):
    """``holds``: its id and its writer's signature verify, and its clock is one; only then it is committed."""

    line: Journalled
    said: Statement
    holds: bool
    people: bool

    @property
    def sealed(self) -> bytes:
        """The envelope as it is kept."""
        return bytes(self.line.envelope)


def examine(line: Journalled) -> Waiting | None:
    """The statement on a journal's line; None where there is none to read."""
    from passdown.ledger.keys import signed_by  # noqa: PLC0415 - an empty journal needs no cryptography

    opened = envelope.read(bytes(line.envelope))
    said = statement.read(opened[1]) if opened else None
    if opened is None or said is None:
        return None
    sealed, payload = opened
    holds = (
        envelope.statement_id(payload) == line.statement
        and 0 < said.predicate.clock.lamport < MAX_LAMPORT
        and signed_by(sealed, payload, said.predicate.writer, line.public)
    )
    return Waiting(line, said, holds, len(sealed.signatures) > 1)
