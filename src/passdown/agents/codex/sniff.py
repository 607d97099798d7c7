"""Is this a Codex rollout? Told by content, not by name."""

from __future__ import annotations

import re

import msgspec

from passdown.agents.wire import Wire, begins

_ENVELOPES = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"})
_CUT = re.compile(
    rb'\A\s*\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d+,)?"type":"(?:session_meta|response_item|event_msg)"'
)


class Marks(msgspec.Struct):
    """The envelope, or (oldest era) the bare head of a session."""

    type: str = ""
    timestamp: str | None = None
    payload: msgspec.Raw = msgspec.Raw()
    id: str | None = None
    instructions: msgspec.Raw = msgspec.Raw()
    git: msgspec.Raw = msgspec.Raw()
    record_type: str | None = None


MARKS = Wire(Marks)


def sniff(start: list[bytes]) -> bool:
    """Say whether one of the first lines of a file is a record of Codex; a single one may be cut."""
    return any(_is_record(line) for line in start) or (len(start) == 1 and bool(_CUT.match(start[0])))


def _is_record(line: bytes) -> bool:
    found = MARKS.decode(line)
    if found is None:
        return False
    if found.type in _ENVELOPES:
        return begins(found.payload, b"{")
    bare = bytes(found.instructions) != b"" or bytes(found.git) != b""
    return found.record_type == "state" or (found.type == "" and bool(found.id) and bool(found.timestamp) and bare)
