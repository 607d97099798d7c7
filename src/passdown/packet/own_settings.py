"""What a person's `passdown init` wrote since a packet was sealed: no drift of it, as long as it stays as written."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from passdown.model.event import GuardInstalled, Record
from passdown.model.packet import Packet
from passdown.rules.installed import installed
from passdown.workspace.control import control_digest, control_parts
from passdown.workspace.place import Place

Ours = Collection[tuple[str, str]]
"""``(path, blob)`` of each file as `passdown init` wrote or left it."""


def settings_moved(place: Place, records: Sequence[Record], packet: Packet, control: str) -> bool:
    """Whether git's or an agent's settings differ from the sealed ones by more than `passdown init` did since.

    ``control``: their digest now.
    """
    sealed = packet.place.control
    if not sealed or sealed == control:
        return False
    order = next((record.order for record in records if record.id == packet.packet), None)
    since = [body for at, body in installed(records, place.worktree_id) if order is None or at > order]
    return not since or control_digest(_without(since, control_parts(place))) != sealed


def _without(since: Sequence[GuardInstalled], parts: dict[str, str]) -> dict[str, str]:
    """The parts as they were before these; what has changed since then is left as it is."""
    for body in reversed(since):
        for name in body.before.keys() | body.after.keys():
            if parts.get(name) == body.after.get(name):
                parts.pop(name, None)
                parts |= {name: body.before[name]} if name in body.before else {}
    return parts
