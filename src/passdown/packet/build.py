"""One call from a worktree to a packet draft."""

from __future__ import annotations

from passdown.model.packet import Packet
from passdown.model.policy import Policy
from passdown.packet.ask import Ask, Records
from passdown.workspace.place import Place


def build(place: Place, recorder: Records, policy: Policy, ask: Ask) -> Packet:
    """The packet of this worktree now; ``packet`` is None and nothing is written."""
    raise NotImplementedError
