"""A batch read from git, checked on its own: signature, digests, chain to its git parent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from passdown.ledger import envelope, statement
from passdown.ledger.alarm import Alarm, AlarmCode
from passdown.ledger.batch import BATCH_TYPE, Manifest, RawBatch, facts_digest
from passdown.ledger.decoding import decode
from passdown.ledger.fact import Fact
from passdown.ledger.journal import fact
from passdown.ledger.statement import MAX_LAMPORT, Clock
from passdown.rules.patterns import lazy

_ID = lazy(r"[0-9a-f]{64}")


class Stated(Struct, frozen=True):
    """One statement of a batch. ``sound``: its digest and its writer's signature verify, and its batch is sound."""

    id: str
    type: str
    task: str | None
    at: str
    writer: str
    sequence: int
    clock: Clock
    body: bytes
    envelope: bytes
    public: str
    people: bool
    sound: bool


class Batch(Struct, frozen=True):
    """A checked batch. What is not sound is kept and not trusted."""

    commit: str
    manifest: Manifest
    sound: bool
    statements: list[Stated] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    alarms: list[Alarm] = field(default_factory=list)

    @property
    def ends_at(self) -> int:
        """The sequence number after this batch's last statement."""
        return self.manifest.sequence + len(self.manifest.statements)


def read_manifest(raw: bytes) -> tuple[envelope.Envelope, bytes, Manifest] | None:
    """The manifest and the envelope that it came in; None where the bytes are not one."""
    opened = envelope.read(raw)
    if opened is None or opened[0].payload_type != BATCH_TYPE:
        return None
    manifest = decode(opened[1], Manifest)
    if manifest is None or not all(_ID.fullmatch(each.id) for each in manifest.statements):
        return None
    return *opened, manifest


def check(raw: RawBatch) -> Batch | Alarm:
    """The batch with what does not verify in it; an alarm alone where there is no manifest to read."""
    from passdown.ledger.keys import signed_by  # noqa: PLC0415 - reading what is indexed needs no cryptography

    opened = read_manifest(raw.manifest)
    if opened is None:
        return Alarm("unreadable", "a batch has no readable manifest", commit=raw.commit)
    sealed, payload, manifest = opened
    alarms: list[Alarm] = []

    def alarm(code: AlarmCode, text: str, *statements: str) -> None:
        alarms.append(Alarm(code, text, commit=raw.commit, statements=statements))

    listed = tuple(each.id for each in manifest.statements)
    name = f"batch {manifest.number} of writer {manifest.writer[:8]}"
    if not signed_by(sealed, payload, manifest.writer, manifest.public):
        alarm("signature", f"the signature of {name} does not verify", *listed)
    elif raw.parent is not None and raw.parent != manifest.previous:
        alarm("chain", f"{name} stands on another commit than its writer put it on", *listed)
    elif not 0 < manifest.lamport < MAX_LAMPORT:
        alarm("clock", f"the clock of {name} is out of range", *listed)
    sound = not alarms
    facts = _facts(raw, manifest, alarm) if sound else []
    batch = Batch(raw.commit, manifest, sound)
    statements = [_stated(raw, batch, index, signed_by, alarm) for index in range(len(listed))]
    return replace(batch, statements=[each for each in statements if each], facts=facts, alarms=alarms)


def _facts(raw: RawBatch, manifest: Manifest, alarm: Callable[..., None]) -> list[Fact]:
    if facts_digest(raw.facts) != manifest.facts:
        name = f"batch {manifest.number} of writer {manifest.writer[:8]}"
        alarm("digest", f"the facts of {name} are not those that its writer signed")
        return []
    return [each for each in map(fact, raw.facts.split(b"\n")) if each is not None] if raw.facts else []


def _stated(
    raw: RawBatch,
    batch: Batch,
    index: int,
    signed_by: Callable[[envelope.Envelope, bytes, str, str], bool],
    alarm: Callable[..., None],
) -> Stated | None:
    listed = batch.manifest.statements[index]
    data = raw.statements.get(listed.id, b"")
    opened = envelope.read(data)
    read = statement.read(opened[1]) if opened else None
    if opened is None or read is None:
        alarm("unreadable" if data else "gone", f"statement {listed.id[:12]} cannot be read", listed.id)
        return None
    said, public = read.predicate, batch.manifest.public
    if said.writer != batch.manifest.writer:
        public = batch.manifest.keys.get(said.writer, "")
    sound = batch.sound
    if hashlib.sha256(data).hexdigest() != listed.file or envelope.statement_id(opened[1]) != listed.id:
        alarm("digest", f"statement {listed.id[:12]} is not what its writer signed", listed.id)
        sound = False
    elif not signed_by(opened[0], opened[1], said.writer, public):
        alarm("signature", f"the signature of statement {listed.id[:12]} does not verify", listed.id)
        sound = False
    return Stated(
        id=listed.id,
        type=statement.type_of(read),
        task=said.task,
        at=said.at,
        writer=said.writer,
        sequence=batch.manifest.sequence + index,
        clock=said.clock,
        body=bytes(said.body),
        envelope=data,
        public=public,
        people=any(each.keyid != said.writer for each in opened[0].signatures),
        sound=sound,
    )
