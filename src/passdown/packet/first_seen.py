"""What the worktree held when the session began, as the client's hook found it."""

from __future__ import annotations

from msgspec import Struct

from passdown.model.session import SessionFacts
from passdown.packet.ask import Records
from passdown.rules.instants import seconds
from passdown.workspace.place import Place
from passdown.workspace.snapshot import kept


class FirstSeen(Struct, frozen=True):
    """A snapshot that is still held: the tree, HEAD then, the instant."""

    tree: str
    head: str | None
    at: str


def first_seen(recorder: Records, place: Place, facts: SessionFacts | None) -> FirstSeen | None:
    """The session's first snapshot in this worktree; None where it began, and wrote, before there was a hook."""
    if facts is None or facts.session is None:
        return None
    for fact in recorder.facts(kind="snapshot"):
        data = fact.data
        if (data.get("session"), data.get("worktree_id")) != (facts.session, place.worktree_id):
            continue
        tree, head = data.get("tree"), data.get("head")
        begun = seconds(fact.at)
        wrote = [at for write in facts.writes if (at := seconds(write.at)) is not None]
        if not isinstance(tree, str) or begun is None or min(wrote, default=begun) < begun or not kept(place, tree):
            return None
        return FirstSeen(tree, head if isinstance(head, str) else None, fact.at)
    return None
