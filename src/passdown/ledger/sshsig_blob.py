"""SSH keys and signatures (SSHSIG) as bytes: verified without a process where the key is no hardware one.

Format: PROTOCOL.sshsig of OpenSSH.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct

from msgspec import Struct

from passdown.rules.patterns import lazy

NAMESPACE = b"passdown"
_MAGIC = b"SSHSIG"
_ARMOUR = lazy(r"\s*-----BEGIN SSH SIGNATURE-----\s*([A-Za-z0-9+/=\s]+?)\s*-----END SSH SIGNATURE-----\s*")
_HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_TYPE = lazy(r"(?:sk-)?(?:ssh-[\w-]+|ecdsa-sha2-nistp\d+)(?:@openssh\.com)?")


class SshSignature(Struct, frozen=True):
    """The parts of one signature; ``public`` and ``signature`` are SSH blobs, ``hashed`` names the digest."""

    public: bytes
    namespace: bytes
    hashed: bytes
    signature: bytes

    def signed(self, message: bytes) -> bytes:
        """The bytes that were signed for ``message``; b"" where the digest is unknown."""
        digest = _HASHES.get(self.hashed)
        if digest is None:
            return b""
        parts = (self.namespace, b"", self.hashed, digest(message).digest())
        return _MAGIC + b"".join(struct.pack(">I", len(part)) + part for part in parts)


def key_blob(line: str) -> bytes | None:
    """The blob of a public key line ("type base64 ..."); None where it is none."""
    words = line.split()
    if len(words) < 2 or not _TYPE.fullmatch(words[0]):  # noqa: PLR2004 - type and blob
        return None
    try:
        blob = base64.b64decode(words[1], validate=True)
    except (binascii.Error, ValueError):
        return None
    fields = _fields(blob, 1)
    return blob if fields is not None and fields[0][0] == words[0].encode() else None


def fingerprint_of(blob: bytes) -> str:
    """``SHA256:...`` of a public key's blob, as ssh-keygen prints it."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii").rstrip("=")


def parse(armoured: str) -> SshSignature | None:
    """The signature; None where it is none."""
    match = _ARMOUR.fullmatch(armoured)
    if match is None:
        return None
    try:
        raw = base64.b64decode("".join(match[1].split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    if raw[:6] != _MAGIC or raw[6:10] != b"\0\0\0\1":
        return None
    fields = _fields(raw[10:], 5)
    if fields is None or fields[1]:
        return None
    public, namespace, _, hashed, signature = fields[0]
    return SshSignature(public, namespace, hashed, signature)


def by_hardware(armoured: str) -> bool:
    """Whether the key that the signature names is one of a hardware token; nothing is verified."""
    found = parse(armoured)
    fields = _fields(found.public, 1) if found is not None else None
    return fields is not None and fields[0][0].startswith(b"sk-")


def verifies(armoured: str, message: bytes, blob: bytes) -> bool:
    """Whether this key signed the message for us; False too for kinds of keys that are not known here."""
    from passdown.ledger.ssh_keys import ssh_verifies  # noqa: PLC0415 - few commands look at such signatures

    found = parse(armoured)
    if found is None or found.public != blob or found.namespace != NAMESPACE:
        return False
    fields, signed = _fields(found.signature, 2), found.signed(message)
    if fields is None or fields[1] or not signed:
        return False
    algorithm, raw = fields[0]
    return ssh_verifies(blob, algorithm, raw, signed)


def _fields(data: bytes, count: int) -> tuple[list[bytes], bytes] | None:
    """``count`` length-prefixed fields and the rest; None where the data is too short."""
    found = []
    for _ in range(count):
        if len(data) < 4:  # noqa: PLR2004 - the length
            return None
        (size,) = struct.unpack(">I", data[:4])
        if len(data) < 4 + size:
            return None
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found, data
