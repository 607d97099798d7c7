"""The writer's key (Ed25519) and SSH keys. The one module that loads ``cryptography``; reading an index needs none."""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from passdown.ledger.envelope import Envelope, Signature, pae


def new_private() -> bytes:
    """32 random bytes: a private key."""
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_of(private: bytes) -> bytes:
    """The raw public key."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def writer_id(public: bytes) -> str:
    """The writer that a raw public key belongs to."""
    return hashlib.sha256(public).hexdigest()[:32]


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


def public_pem(public: str) -> str:
    """A writer's public key (base64) as PEM, for other tools."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return key.public_bytes(serialization.Encoding.PEM, form).decode("ascii")


_RSA = {b"rsa-sha2-256": hashes.SHA256, b"rsa-sha2-512": hashes.SHA512}
_CURVES: dict[bytes, type[hashes.HashAlgorithm]] = {
    b"ecdsa-sha2-nistp256": hashes.SHA256,
    b"ecdsa-sha2-nistp384": hashes.SHA384,
    b"ecdsa-sha2-nistp521": hashes.SHA512,
}


def ssh_verifies(blob: bytes, algorithm: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an SSH key (its blob) made a signature; False for hardware keys, which ssh-keygen knows."""
    kind = blob[4 : 4 + int.from_bytes(blob[:4], "big")]
    try:
        key = serialization.load_ssh_public_key(kind + b" " + base64.b64encode(blob))
        if isinstance(key, Ed25519PublicKey) and algorithm == b"ssh-ed25519":
            key.verify(signature, message)
        elif isinstance(key, rsa.RSAPublicKey) and algorithm in _RSA:
            key.verify(signature, message, padding.PKCS1v15(), _RSA[algorithm]())
        elif isinstance(key, ec.EllipticCurvePublicKey) and algorithm == kind and algorithm in _CURVES:
            key.verify(_der(signature), message, ec.ECDSA(_CURVES[algorithm]()))
        else:
            return False
    except (ValueError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _der(signature: bytes) -> bytes:
    """An SSH signature's two numbers as DER."""
    size = int.from_bytes(signature[:4], "big")
    first, rest = signature[4 : 4 + size], signature[4 + size :]
    return encode_dss_signature(int.from_bytes(first, "big"), int.from_bytes(rest[4:], "big"))
