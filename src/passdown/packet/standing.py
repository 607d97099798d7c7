"""A sealed packet as it stands now: hold, guards, classes, freshness, verdict and state are computed anew."""

from __future__ import annotations

from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.packet.ask import Ask, Records
from passdown.workspace.place import Place


def standing(place: Place, recorder: Records, policy: Policy, packet: Packet, ask: Ask) -> Packet:
    """The packet with today's values; what is sealed stays."""
    raise NotImplementedError


def as_sealed(packet: Packet) -> Packet:
    """The packet as it was sealed: no verdict."""
    raise NotImplementedError
