"""Seal a draft: keep its content, then record it."""

from __future__ import annotations

import msgspec

from passdown.model.packet import Packet
from passdown.packet import attachment
from passdown.packet.ask import Records
from passdown.packet.size import fitted
from passdown.workspace import history
from passdown.workspace.place import Place
from passdown.workspace.snapshot import keep, kept


def seal(place: Place, recorder: Records, draft: Packet) -> Packet:
    """The sealed packet within its size, its digest filled in; the trees it names are held in store.git.

    What its size leaves out is recorded before it.
    """
    keep(place, draft.place.tree)
    start = draft.place.start
    if start is not None and not kept(place, start):  # the tree of a packet before is held already
        keep(place, history.commit_tree_of(place, start) or start)
    found = fitted(draft)
    for data in found.whole.values():
        attachment.write(recorder, data, task=draft.task.id, at=draft.sealed_at)
    digest = recorder.seal(found.packet, at=draft.sealed_at)
    return msgspec.structs.replace(found.packet, packet=digest)
