"""At most 256 KB: long lists and texts are cut and counted, the whole ones named by their digest; boundary stays."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field, structs
from msgspec.structs import replace

from passdown.model.packet import MAX_BYTES, Packet

KEEP = {"files": 400, "integrity": 100}
KEEP_OTHERS = 40
TEXT = 4096
CUTTABLE = (
    *("outcomes", "files", "dead_ends", "decisions", "closed", "notes", "checks", "integrity", "checklist", "put_back"),
)
WORDY = ("items", "task", "prohibitions", *CUTTABLE, "commands")
ROOM = 8 * 1024
"""What sealing adds around the packet."""


class Fitted(Struct, frozen=True):
    """The packet within its limit, and the JSON of each field that was cut, by the field's name."""

    packet: Packet
    whole: Mapping[str, bytes] = field(default_factory=dict)


def fitted(packet: Packet) -> Fitted:
    """``truncated`` counts what is left out, ``attachments`` names the whole fields."""
    found = Fitted(packet)
    for name in CUTTABLE:
        if fits(found.packet):
            return found
        found = _cut(found, name)
    for name in WORDY:
        if fits(found.packet):
            return found
        found = _shorter(found, name)
    return found


def fits(packet: Packet) -> bool:
    """Whether it can be sealed as it is."""
    return len(msgspec.json.encode(packet)) <= MAX_BYTES - ROOM


def _cut(found: Fitted, name: str) -> Fitted:
    """The first ones of a list stay."""
    values = getattr(found.packet, name)
    keep = KEEP.get(name, KEEP_OTHERS)
    return _with(found, name, values[:keep], len(values) - keep) if len(values) > keep else found


def _shorter(found: Fitted, name: str) -> Fitted:
    """All of a field stays, each of its texts is cut."""
    value = getattr(found.packet, name)
    short = _texts(value)
    return _with(found, name, short, 0) if short != value else found


def _with(found: Fitted, name: str, value: object, left_out: int) -> Fitted:
    packet = found.packet
    whole = found.whole.get(name) or msgspec.json.encode(getattr(packet, name))
    digest = hashlib.sha256(whole).hexdigest()
    packet = structs.replace(
        packet,
        **{name: value},
        attachments={**packet.attachments, name: digest},
        truncated={**packet.truncated, name: left_out or packet.truncated.get(name, 0)},
    )
    return replace(found, packet=packet, whole={**found.whole, name: whole})


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= TEXT else value[:TEXT] + " ..."
    if isinstance(value, list):
        return [_texts(one) for one in value]
    if isinstance(value, dict):
        return {key: _texts(one) for key, one in value.items()}
    if isinstance(value, Struct):
        return structs.replace(value, **{name: _texts(getattr(value, name)) for name in value.__struct_fields__})
    return value
