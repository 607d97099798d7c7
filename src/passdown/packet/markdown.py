"""The packet as Markdown for pull requests and HANDOFF.md: whatever comes from outside is escaped."""

from __future__ import annotations

from passdown.model.packet import Packet


def markdown(packet: Packet) -> str:
    """GitHub-flavoured Markdown. Ends with a newline."""
    raise NotImplementedError
