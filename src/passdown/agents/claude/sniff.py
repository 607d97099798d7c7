"""Is this a Claude Code transcript? Told by content, not by name."""

from __future__ import annotations

import re

import msgspec

from passdown.agents.wire import Wire

_CONVERSATION = frozenset({"user", "assistant", "system", "attachment", "progress"})
_CUT = re.compile(
    rb'\A\s*\{(?=.*"isSidechain":(?:true|false))(?=.*"(?:sessionId|parentUuid)":)(?=.*"type":"(?:user|assistant|system|attachment|progress)")',
    re.DOTALL,
)


class Marks(msgspec.Struct, rename="camel"):
    """The fields that only these transcripts have, by type."""

    type: str = ""
    uuid: str | None = None
    session_id: str | None = None
    is_sidechain: bool | None = None
    leaf_uuid: str | None = None
    summary: str | None = None
    message_id: str | None = None
    snapshot: msgspec.Raw = msgspec.Raw()
    operation: str | None = None


MARKS = Wire(Marks)


def sniff(start: list[bytes]) -> bool:
    """Say whether one of the first lines of a file is a record of Claude Code; a single one may be cut."""
    return any(_is_record(line) for line in start) or (len(start) == 1 and bool(_CUT.match(start[0])))


def _is_record(line: bytes) -> bool:
    found = MARKS.decode(line) if b'"type"' in line else None
    if found is None:
        return False
    if found.type in _CONVERSATION:
        return found.uuid is not None and (found.session_id is not None or found.is_sidechain is not None)
    if found.type == "summary":
        return found.leaf_uuid is not None
    if found.type == "file-history-snapshot":
        return found.message_id is not None
    return found.type == "queue-operation" and found.operation is not None and found.session_id is not None
