"""What kind of handoff it is, what shows that, and how a person says that it is another."""

from __future__ import annotations

from passdown.model.packet import Packet
from passdown.packet.text import plain

OTHER = "other: passdown pack --template NAME"
_ANY = "general"


def kind(packet: Packet) -> str:
    """The kind and its marks; "" where nothing is to be said: no other fits, or the packet is older than kinds."""
    if not packet.template_title or (packet.template == _ANY and packet.template_because.startswith("no other")):
        return ""
    return f"{plain(packet.template_title)} ({plain(packet.template_because)})"
