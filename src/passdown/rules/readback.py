"""Whether the receiver read the packet (semantics: section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passdown.model.packet import Packet
from passdown.rules.judge import Context


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What the receiver restated: ids of open items, the first path, ids of prohibitions."""

    open: Sequence[str]
    first: str
    not_: Sequence[str]


def faults(packet: Packet, said: ReadBack, context: Context | None = None) -> list[str]:
    """One line for each missing, unknown or wrong part; [] opens the gate. Order, quotes and ``./`` do not matter."""
    raise NotImplementedError


def expected(packet: Packet) -> ReadBack:
    """What a right read-back says: every open item, the first step's path, every deny id."""
    raise NotImplementedError
