"""A batch: one commit with everything of one flush, signed once."""

from __future__ import annotations

import hashlib
from datetime import datetime

import msgspec
from msgspec import Struct

BATCH_TYPE = "application/vnd.passdown.batch+json"
NAME = "Passdown"
MAIL = "passdown@localhost"
LOG = "refs/passdown/log/"


class Listed(Struct, frozen=True, kw_only=True):
    """A statement of a batch: its id and the sha256 of its envelope's bytes."""

    id: str
    file: str


class Manifest(Struct, frozen=True, kw_only=True):
    """What the writer signs. ``public`` (base64) makes the writer id certify itself.

    ``number`` counts the writer's batches and ``previous`` names the commit before, both across
    epochs; ``sequence`` is the first statement's. ``segments`` says how far which file of the journal
    is committed. ``keys`` has the public keys of other writers whose statements were still in the
    journal of a folder that was moved or copied.
    """

    writer: str
    public: str
    epoch: str
    number: int
    previous: str | None
    sequence: int
    lamport: int
    at: str
    statements: list[Listed]
    facts: str
    fact_count: int
    segments: dict[str, int]
    torn: int = 0
    keys: dict[str, str] = msgspec.field(default_factory=dict)
    schema: str = "passdown/batch/v1"


class RawBatch(Struct, frozen=True):
    """A batch as it stands in git, unchecked."""

    commit: str
    parent: str | None
    manifest: bytes
    facts: bytes = b""
    statements: dict[str, bytes] = msgspec.field(default_factory=dict)


def ref_of(writer: str, epoch: str) -> str:
    """The ref of a writer's epoch."""
    return f"{LOG}{writer}/{epoch}"


def epoch_of(at: str, last: str) -> str:
    """The quarter of a time, such as "2026q4"; never before ``last``, the epoch that the writer is in."""
    year, month = at[:4], at[5:7]
    if not (year.isdigit() and month.isdigit() and at[4:5] == "-" and 1 <= int(month) <= 12):  # noqa: PLR2004 - months
        return last or "0000q0"
    return max(last, f"{year}q{(int(month) + 2) // 3}")


def facts_digest(facts: bytes) -> str:
    """The digest of a batch's facts; empty where it has none."""
    return hashlib.sha256(facts).hexdigest() if facts else ""


def stream(ref: str, raw: RawBatch, at: str) -> bytes:
    """The commands for one ``git fast-import`` that commits the batch on top of ``raw.parent`` and prints its id.

    ``done`` is required, so that a stream cut short by a death commits nothing.
    """
    files = {"batch.json": raw.manifest, **{f"statements/{name}.json": data for name, data in raw.statements.items()}}
    if raw.facts:
        files["facts.jsonl"] = raw.facts
    lines = [b"feature done\n", f"commit {ref}\nmark :1\ncommitter {NAME} <{MAIL}> {_seconds(at)} +0000\n".encode()]
    lines.append(b"data 0\n")
    if raw.parent:
        lines.append(f"from {raw.parent}\n".encode())
    lines.append(b"deleteall\n")
    for path, data in files.items():
        lines.append(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
    lines.append(b"\nget-mark :1\ndone\n")
    return b"".join(lines)


def _seconds(at: str) -> int:
    try:
        return max(0, int(datetime.fromisoformat(at).timestamp()))
    except (ValueError, OverflowError, OSError):
        return 0
