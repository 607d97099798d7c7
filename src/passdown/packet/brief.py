"""What the next run is told: about 400 tokens, foreign text quoted as data."""

from __future__ import annotations

from passdown.model.packet import Packet


def brief(packet: Packet) -> str:
    """Boundary, prohibitions and open failures are never cut. Ends with a newline."""
    raise NotImplementedError
