"""DSSE envelopes: exact bytes and the signatures over their pre-authentication encoding (PAE)."""

from __future__ import annotations

import base64
import hashlib

import msgspec
from msgspec import Struct

from passdown.ledger.decoding import decode

IN_TOTO = "application/vnd.in-toto+json"


class Signature(Struct, frozen=True, kw_only=True):
    """One signature: ``keyid`` is a writer id or a person's fingerprint; ``sig`` is base64."""

    keyid: str
    sig: str


class Envelope(Struct, frozen=True, kw_only=True, rename={"payload_type": "payloadType"}):
    """A DSSE envelope; ``payload`` is base64."""

    payload: str
    payload_type: str
    signatures: list[Signature]


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def seal(payload_type: str, payload: bytes, signatures: list[Signature]) -> bytes:
    """The envelope as JSON."""
    text = base64.b64encode(payload).decode("ascii")
    return msgspec.json.encode(Envelope(payload=text, payload_type=payload_type, signatures=signatures))


def read(data: bytes) -> tuple[Envelope, bytes] | None:
    """The envelope and its payload; None where it is not one."""
    envelope = decode(data, Envelope)
    if envelope is None:
        return None
    try:
        return envelope, base64.b64decode(envelope.payload, validate=True)
    except ValueError:
        return None


def statement_id(payload: bytes) -> str:
    """sha256 of a statement's PAE."""
    return hashlib.sha256(pae(IN_TOTO, payload)).hexdigest()


def person_signatures(envelope: Envelope) -> list[str]:
    """The armoured SSH signatures in an envelope, not checked."""
    found = []
    for signature in envelope.signatures:
        if signature.keyid.startswith("SHA256:"):
            try:
                found.append(base64.b64decode(signature.sig, validate=True).decode("ascii"))
            except ValueError:
                continue
    return found
