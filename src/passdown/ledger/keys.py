"""The writer's key (Ed25519). With ``ssh_keys`` it alone loads ``cryptography``; reading an index needs none."""

from __future__ import annotations

import base64
import binascii

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from passdown.ledger.envelope import Envelope, Signature, pae
from passdown.ledger.writer import writer_id


def new_private() -> bytes:
    """32 random bytes: a private key."""
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_of(private: bytes) -> bytes:
    """The raw public key."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def sign(private: bytes, writer: str, message: bytes) -> Signature:
    """The writer's signature over a PAE."""
    made = Ed25519PrivateKey.from_private_bytes(private).sign(message)
    return Signature(keyid=writer, sig=base64.b64encode(made).decode("ascii"))


def signed_by(envelope: Envelope, payload: bytes, writer: str, public: str) -> bool:
    """Whether ``public`` (base64) is the writer's key and its signature over the payload verifies."""
    try:
        raw = base64.b64decode(public, validate=True)
        if len(raw) != 32 or writer_id(raw) != writer:  # noqa: PLR2004 - an Ed25519 key
            return False
        key = Ed25519PublicKey.from_public_bytes(raw)
        message = pae(envelope.payload_type, payload)
        for signature in envelope.signatures:
            if signature.keyid == writer:
                key.verify(base64.b64decode(signature.sig, validate=True), message)
                return True
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return False
