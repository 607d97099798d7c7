"""The writer: this clone's key, bound to the machine and the folder that it was made in."""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from passdown.errors import PassdownError
from passdown.ledger.decoding import decode
from passdown.ledger.envelope import Signature
from passdown.ledger.locks import exclusive

_KEY_BYTES = 32
_MACHINE_ID = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))


class Binding(Struct, frozen=True, kw_only=True):
    """Where a key was made: a digest of the machine's id, device and inode of the common git folder."""

    machine: str
    device: int
    inode: int


class _Kept(Struct, frozen=True, kw_only=True):
    writer: str
    public: str
    private: str
    bound: Binding


class Writer(Struct, frozen=True):
    """A writer's id, its public key (base64) and its private key (raw)."""

    id: str
    public: str
    private: bytes

    def sign(self, message: bytes) -> Signature:
        """The writer's signature over a PAE."""
        from passdown.ledger import keys  # noqa: PLC0415 - reading what is indexed needs no cryptography

        return keys.sign(self.private, self.id, message)


def writer_id(public: bytes) -> str:
    """The writer that a raw public key belongs to."""
    return hashlib.sha256(public).hexdigest()[:32]


def known_writer(home: Path) -> str | None:
    """The id of the writer of this clone; None before its first write and in a copied folder."""
    kept = _load(home)
    return kept.writer if kept is not None and kept.bound == _binding(home) else None


def ensure_writer(home: Path, *, instead_of: str | None = None) -> Writer:
    """This clone's writer, made where there is none, where the folder was copied, or ``instead_of`` a lost one."""
    kept = _fitting(home, instead_of)
    if kept is None:
        with exclusive(home / "writer.lock"):
            kept = _fitting(home, instead_of) or _make(home)
    return Writer(kept.writer, kept.public, base64.b64decode(kept.private))


def key_fault(home: Path) -> str:
    """Why the key here can sign for nobody; "": it can, or there is none."""
    if not (home / "writer.json").exists():
        return ""
    kept = _load(home)
    if kept is None:
        return "the key cannot be read, or is not that of the writer it names"
    return "" if _is_pair(kept) else "the private key is not that of the writer it names"


def _is_pair(kept: _Kept) -> bool:
    from passdown.ledger import keys  # noqa: PLC0415 - reading what is indexed needs no cryptography

    return keys.public_of(base64.b64decode(kept.private)) == base64.b64decode(kept.public)


def _fitting(home: Path, instead_of: str | None) -> _Kept | None:
    kept = _load(home)
    if kept is None or kept.bound != _binding(home) or kept.writer == instead_of:
        return None
    return kept if _is_pair(kept) else None


def _load(home: Path) -> _Kept | None:
    path = home / "writer.json"
    try:
        kept = decode(path.read_bytes(), _Kept)
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise PassdownError(f"the writer's key belongs to another user: {path}", "use a clone of your own") from error
    try:  # cut short or damaged: its writer cannot go on
        return kept if kept is not None and _whole(kept) else None
    except ValueError:
        return None


def _whole(kept: _Kept) -> bool:
    private, public = (base64.b64decode(each, validate=True) for each in (kept.private, kept.public))
    return len(private) == _KEY_BYTES and writer_id(public) == kept.writer


def _make(home: Path) -> _Kept:
    from passdown.ledger import keys  # noqa: PLC0415 - reading what is indexed needs no cryptography

    private = keys.new_private()
    public = keys.public_of(private)
    kept = _Kept(
        writer=writer_id(public),
        public=base64.b64encode(public).decode("ascii"),
        private=base64.b64encode(private).decode("ascii"),
        bound=_binding(home),
    )
    beside = home / f"writer.{os.urandom(8).hex()}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, msgspec.json.encode(kept))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    beside.replace(home / "writer.json")
    return kept


def _binding(home: Path) -> Binding:
    folder = home.parent.stat()
    machine = ""
    for path in _MACHINE_ID:
        if path.is_file():
            machine = path.read_text().strip()
            break
    digest = hashlib.sha256(f"passdown writer {machine}".encode()).hexdigest()
    return Binding(machine=digest, device=folder.st_dev, inode=folder.st_ino)
