"""At most 256 KB: long lists are cut, counted and named by their digest; boundary and items stay whole."""

from __future__ import annotations

import hashlib

import msgspec

from passdown.model.packet import MAX_BYTES, Packet

KEEP = 40
TEXT = 4000
CUTTABLE = ("outcomes", "files", "dead_ends", "decisions", "closed", "notes", "checks", "checklist")
ROOM = 8 * 1024
"""What sealing adds around the packet."""


def fitted(packet: Packet) -> Packet:
    """The packet within its limit; ``truncated`` counts what is left out, ``attachments`` names the whole lists."""
    for name in CUTTABLE:
        if _size(packet) <= MAX_BYTES - ROOM:
            return packet
        packet = _cut(packet, name)
    if _size(packet) > MAX_BYTES - ROOM:
        packet = _shorter_items(packet)
    return packet


def _size(packet: Packet) -> int:
    return len(msgspec.json.encode(packet))


def _cut(packet: Packet, name: str) -> Packet:
    values = getattr(packet, name)
    if len(values) <= KEEP:
        return packet
    digest = hashlib.sha256(msgspec.json.encode(values)).hexdigest()
    return msgspec.structs.replace(
        packet,
        **{name: values[:KEEP]},
        attachments={**packet.attachments, name: digest},
        truncated={**packet.truncated, name: len(values) - KEEP},
    )


def _shorter_items(packet: Packet) -> Packet:
    """Every item stays, its texts are cut."""
    items = [
        msgspec.structs.replace(item, text=item.text[:TEXT], error=item.error[:TEXT] if item.error else None)
        for item in packet.items
    ]
    return msgspec.structs.replace(packet, items=items, truncated={**packet.truncated, "item-texts": 1})
