"""The packet on one screen."""

from __future__ import annotations

from passdown.model.packet import Packet


def terminal(packet: Packet, *, width: int = 100, colour: bool = False, now: str | None = None) -> str:
    """About 20 lines of plain text, facts first; ANSI colours on request. Ends with a newline."""
    raise NotImplementedError
