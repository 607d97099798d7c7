"""People's SSH keys, and keys as other tools read them: apart, since all these kinds take long to load."""

from __future__ import annotations

import base64

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


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
