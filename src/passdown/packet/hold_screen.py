"""The HOLD on one screen."""

from __future__ import annotations

from passdown.model.packet import Packet


def hold_screen(packet: Packet, *, width: int = 100, colour: bool = False) -> str:
    """Each reason with its fact and command, then what lifts them. Ends with a newline."""
    raise NotImplementedError
