"""What a packet is too small for: whole fields beside it in the record, in parts, named by the digest of the whole."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.model.event import Attachment
from passdown.model.packet import Packet
from passdown.packet.ask import Records

JSON = "application/json"
PART = 1024 * 1024


def write(recorder: Records, data: bytes, *, task: str, at: str, media_type: str = JSON) -> str:
    """Record UTF-8 text of any length; its digest. What is recorded already is not recorded again."""
    digest = hashlib.sha256(data).hexdigest()
    if not any(part.digest == digest for part in _parts(recorder, task)):
        for part in split(data.decode(), digest, media_type):
            recorder.append(part, task=task, at=at)
    return digest


def split(text: str, digest: str, media_type: str) -> list[Attachment]:
    """The text's parts in their order, at least one."""
    pieces = [text[at : at + PART] for at in range(0, len(text), PART)] or [""]
    return [
        Attachment(digest=digest, media_type=media_type, part=at, parts=len(pieces), text=piece)
        for at, piece in enumerate(pieces)
    ]


def read(recorder: Records, digest: str, *, task: str) -> bytes:
    """The whole text; PassdownError where a part is not here or it is not what the digest names."""
    parts = {part.part: part for part in _parts(recorder, task) if part.digest == digest}
    number = next(iter(parts.values())).parts if parts else 0
    data = "".join(parts[at].text for at in sorted(parts)).encode()
    if not parts or len(parts) != number or hashlib.sha256(data).hexdigest() != digest:
        raise PassdownError(
            f"attachment {digest[:12]} is not here as a whole",
            "fetch the record of the clone that has it: docs/storage.md says how",
            EXIT_UNDECIDED,
        )
    return data


def whole(recorder: Records, packet: Packet) -> Packet:
    """The packet with every field that was cut as it was before; PassdownError where an attachment is not here."""
    types = {field.name: field.type for field in msgspec.structs.fields(Packet)}
    found = {
        name: msgspec.json.decode(read(recorder, digest, task=packet.task.id), type=types[name])
        for name, digest in packet.attachments.items()
        if name in types
    }
    left = {name: number for name, number in packet.truncated.items() if name not in found}
    return msgspec.structs.replace(packet, **found, truncated=left) if found else packet


def _parts(recorder: Records, task: str) -> Iterator[Attachment]:
    for record in recorder.records(task=task, type="attachment"):
        if isinstance(record.body, Attachment) and record.trusted:
            yield record.body
