"""Putting a batch together from the journal."""

from __future__ import annotations

import msgspec

from passdown.ledger import envelope, journal
from passdown.ledger.batch import BATCH_TYPE, Listed, Manifest, RawBatch, epoch_of, facts_digest
from passdown.ledger.projection import Head
from passdown.ledger.waiting import examine
from passdown.ledger.writer import Writer


def compose(writer: Writer, tip: str | None, head: Head, parts: dict[str, journal.Part]) -> tuple[RawBatch, Manifest]:
    """The batch's files, signed; its commit is not known yet. What does not verify counts as torn."""
    lines = {each.statement: each for part in parts.values() for each in part.statements}
    waiting = [found for line in lines.values() if (found := examine(line)) is not None and found.holds]
    files = {each.line.statement: each.sealed for each in waiting}
    predicates = [each.said.predicate for each in waiting]
    facts = b"".join(line + b"\n" for part in parts.values() for line in part.facts)
    at = max([*(part.at for part in parts.values()), *(each.at for each in predicates)])
    manifest = Manifest(
        writer=writer.id,
        public=writer.public,
        epoch=epoch_of(at, head.epoch),
        number=head.number + 1,
        previous=tip,
        sequence=head.ends_at,
        lamport=max([head.lamport + 1, *(each.clock.lamport for each in predicates)]),
        at=at,
        statements=[Listed(id=name, file=facts_digest(data)) for name, data in files.items()],
        facts=facts_digest(facts),
        fact_count=facts.count(b"\n"),
        segments={name: part.end for name, part in parts.items()},
        torn=sum(part.torn for part in parts.values()) + len(lines) - len(waiting),
        keys={
            each.said.predicate.writer: each.line.public for each in waiting if each.said.predicate.writer != writer.id
        },
    )
    payload = msgspec.json.encode(manifest)
    signature = writer.sign(envelope.pae(BATCH_TYPE, payload))
    sealed = envelope.seal(BATCH_TYPE, payload, [signature])
    parent = tip if head.epoch == manifest.epoch else None
    return RawBatch("", parent, sealed, facts, files), manifest
