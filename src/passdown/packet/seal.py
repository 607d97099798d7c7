"""Seal a draft: keep its content, then record it."""

from __future__ import annotations

import msgspec

from passdown.model.packet import Packet
from passdown.packet.ask import Records
from passdown.workspace import history
from passdown.workspace.place import Place
from passdown.workspace.snapshot import keep


def seal(place: Place, recorder: Records, draft: Packet) -> Packet:
    """The sealed packet, its digest filled in; its tree and the run's start are held in store.git."""
    keep(place, draft.place.tree)
    start = draft.place.start
    if start is not None:
        keep(place, history.commit_tree_of(place, start) or start)
    digest = recorder.seal(draft, at=draft.sealed_at)
    return msgspec.structs.replace(draft, packet=digest)
