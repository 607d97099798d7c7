"""Whose evidence counts here: this clone's, that of clones an allowed signer vouched for, and CI's."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

import msgspec

from passdown.ledger import envelope, statement
from passdown.ledger.signers import Signers
from passdown.ledger.sshsig_blob import fingerprint_of, key_blob, verifies
from passdown.ledger.writer import known_writer
from passdown.model.event import Record, WriterVouched
from passdown.model.evidence import Evidence
from passdown.model.policy import Policy
from passdown.rules.trust import Trust
from passdown.workspace.diff import read_path
from passdown.workspace.place import Place


class Signed(Protocol):
    """The part of the ledger that trust is read from."""

    def records(self, *, task: str | None = None, type: str | None = None) -> list[Record]:  # noqa: A002 - its name
        """Statements of all writers in their order."""

    def envelopes(self, ids: Sequence[str]) -> dict[str, bytes]:
        """Statements as they were signed."""


def signers_of(place: Place, policy: Policy) -> Signers:
    """Who may sign, by the base's policy alone: its list, else the file that it names, as the base has it."""
    if policy.signers:
        return Signers(tuple(policy.signers), f"{policy.source} review.signers")
    if policy.allowed_signers is None or policy.revision is None:
        return Signers()
    text = (read_path(place, policy.revision, policy.allowed_signers) or b"").decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines()]
    found = tuple(line for line in lines if line and not line.startswith("#"))
    return Signers(found, f"{policy.revision[:12]}:{policy.allowed_signers}")


def trust_of(place: Place, policy: Policy, ledger: Signed, now: str) -> Trust:
    """Whom this clone believes at this moment. With no signer and no CI key in the base: itself alone."""
    names: Mapping[str, str] = {}
    signers = signers_of(place, policy)
    if signers:
        names = _vouched(signers, ledger, now)
    ci = _of_ci(policy, ledger) if policy.trust_ci else frozenset()
    return Trust(
        own=known_writer(place.home),
        vouched=frozenset(names),
        ci=ci,
        names=names,
        sealed=partial(is_sealed, ledger),
        signer=_signer(signers, ledger, now),
        hardware=_hardware(signers, ledger, now),
    )


def trust_mark(place: Place, policy: Policy, ledger: Signed, now: str) -> str | None:
    """Equal where :func:`trust_of` believes the same records; None: what it believes may change with the hour."""
    signers = signers_of(place, policy)
    if any(word in line.lower() for line in signers.lines for word in _LIMITED):
        return None
    vouched = sorted(_vouched(signers, ledger, now)) if signers else []
    said = (known_writer(place.home), vouched, signers.lines, policy.trust_ci)
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


_LIMITED = ("valid-", "cert-authority")
"""What says of a key, or of one that it certifies, from when until when it is one."""


def _signer(signers: Signers, ledger: Signed, now: str) -> Callable[[str, str], str | None]:
    """Whose signature, of those whom the base lists, counts on a statement, then and now; each asked for once."""
    known: dict[str, str | None] = {}

    def ask(name: str, at: str) -> str | None:
        if signers and name not in known:
            sealed = ledger.envelopes([name]).get(name)
            known[name] = next(iter(signers.signed(sealed, [at, now])), None) if sealed else None
        return known.get(name)

    return ask


def _hardware(signers: Signers, ledger: Signed, now: str) -> Callable[[str, str], bool]:
    """Whether a hardware key that the base lists signed a statement: the statement itself may say anything."""

    def ask(name: str, at: str) -> bool:
        sealed = ledger.envelopes([name]).get(name) if signers else None
        return not signers or (sealed is not None and bool(signers.signed(sealed, [at, now], hardware=True)))

    return ask


def is_sealed(ledger: Signed, record: Record) -> bool:
    """Whether the record says what the statement of its id says: the index beside the store could have been edited."""
    opened = envelope.read(ledger.envelopes([record.id]).get(record.id, b""))
    said = statement.read(opened[1]) if opened else None
    if opened is None or said is None or envelope.statement_id(opened[1]) != record.id:
        return False
    body = statement.body_of(statement.type_of(said), bytes(said.predicate.body))
    return body == record.body and said.predicate.writer == record.writer


def _vouched(signers: Signers, ledger: Signed, now: str) -> dict[str, str]:
    """Writer -> who vouched for it. A withdrawal is for good; a key that ran out vouches for nobody."""
    records = [r for r in ledger.records(type="writer-vouched") if r.trusted and isinstance(r.body, WriterVouched)]
    sealed = ledger.envelopes([record.id for record in records])
    names: dict[str, str] = {}
    withdrawn: set[str] = set()
    for record in records:
        body = record.body
        if not isinstance(body, WriterVouched) or record.id not in sealed or not _names_its_key(body):
            continue
        by = signers.signed(sealed[record.id], [record.at] if body.withdrawn else [record.at, now])
        if by and body.withdrawn:
            withdrawn.add(body.writer)
        elif by:
            names[body.writer] = by[0]
    return {writer: name for writer, name in names.items() if writer not in withdrawn}


def _names_its_key(body: WriterVouched) -> bool:
    try:
        return hashlib.sha256(b64decode(body.public, validate=True)).hexdigest()[:32] == body.writer
    except ValueError:
        return False


def _of_ci(policy: Policy, ledger: Signed) -> frozenset[str]:
    """The evidence that a key of the base's policy signed."""
    records = ledger.records(type="evidence")
    said = [r.id for r in records if r.trusted and isinstance(r.body, Evidence) and r.body.observed_by == "ci"]
    blobs = [blob for line in policy.trust_ci if (blob := key_blob(line)) is not None]
    return frozenset(name for name, sealed in ledger.envelopes(said).items() if signed_by_ci(sealed, blobs))


def signed_by_ci(sealed: bytes, blobs: Iterable[bytes]) -> bool:
    """Whether one of these keys signed an envelope."""
    opened = envelope.read(sealed)
    if opened is None:
        return False
    message = envelope.pae(opened[0].payload_type, opened[1])
    keys = {fingerprint_of(blob): blob for blob in blobs}
    wanted = {keys[each.keyid] for each in opened[0].signatures if each.keyid in keys}
    armoured = envelope.person_signatures(opened[0]) if wanted else []
    return any(verifies(text, message, blob) for text in armoured for blob in wanted)
