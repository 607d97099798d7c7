"""Seal a draft: keep its content, then record it."""

from __future__ import annotations

from passdown.model.packet import Packet
from passdown.packet.ask import Records
from passdown.workspace.place import Place


def seal(place: Place, recorder: Records, draft: Packet) -> Packet:
    """The sealed packet, its digest filled in; its tree and the run's start are held in store.git."""
    raise NotImplementedError
