"""Where a run began, and what a merge brought that is nobody's touch."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.event import Resumed
from passdown.model.packet import Packet
from passdown.model.session import SessionFacts
from passdown.packet.base_branch import Base
from passdown.packet.first_seen import FirstSeen
from passdown.packet.sources import Start
from passdown.rules.instants import seconds
from passdown.rules.task import Stated, TaskView
from passdown.workspace import diff, history
from passdown.workspace.diff import Change
from passdown.workspace.place import Place
from passdown.workspace.snapshot import kept


def start_of(
    place: Place,
    base: Base,
    task: TaskView | None,
    resumed: Stated[Resumed] | None,
    facts: SessionFacts | None,
    *,
    first: FirstSeen | None = None,
) -> Start:
    """The newest of resume, packet and `passdown start`; else the first hook's snapshot; else HEAD when it began."""
    known: list[tuple[tuple[int, str, int], Start]] = []
    if resumed is not None:
        body = resumed.body
        known.append((resumed.order, Start(body.tree, body.tree, f"resumed from {body.packet[:7]}", body.head)))
    previous = _previous(place, task)
    if previous is not None:
        before = _before(place, previous, facts)
        known += [(previous.order, before)] if before is not None else []
    if task is not None and task.opened is not None:
        opened = task.opened.body
        known.append((task.opened.order, Start(opened.tree, opened.tree, "passdown start", opened.head)))
    if known:
        return max(known, key=lambda pair: pair[0])[1]
    if first is not None:
        return Start(first.tree, first.tree, "the worktree when the session began, as its hook found it", first.head)
    if facts is not None and facts.started:
        commit = history.head_at(place, facts.started)
        if commit is not None:
            return Start(commit, commit, f"HEAD when the session began ({commit[:9]})", commit)
    compared = base.commit or place.head or ""
    where = f"the base ({base.because})" if base.commit else "HEAD" if place.head else "nothing: no commit yet"
    return Start(None, compared, f"not known: compared with {where}", None)


def _previous(place: Place, task: TaskView | None) -> Stated[Packet] | None:
    """The task's newest packet of this worktree and branch whose content is here: another clone's may not be."""
    for packet in reversed(task.packets if task is not None else []):
        sealed = packet.body.place
        if (sealed.worktree_id, sealed.branch) != (place.worktree_id, place.branch):
            return None
        if kept(place, sealed.tree):
            return packet
    return None


def _before(place: Place, packet: Stated[Packet], facts: SessionFacts | None) -> Start | None:
    """The previous packet's tree; where it was sealed while this run was at work already, where that one began."""
    sealed, name = packet.body.place, packet.id[:7]
    begun = seconds(facts.started) if facts is not None and facts.session != packet.body.run.session else None
    if begun is None or begun >= (seconds(packet.body.sealed_at) or begun):
        return Start(sealed.tree, sealed.tree, f"the previous packet {name}", sealed.head)
    if sealed.start is None:
        return None
    because = f"where {name} began: it was sealed after this run had begun"
    return Start(sealed.start, sealed.start, because, history.resolve(place, sealed.start))


def merged_in(place: Place, base: Base, start: Start, changes: Sequence[Change]) -> tuple[list[Change], int]:
    """Changes without those that a merge of the base branch brought unchanged, and how many those are (case H7)."""
    if base.tip is None or place.head is None or start.commit is None or start.commit == place.head:
        return list(changes), 0
    before, now = history.merge_base(place, base.tip, start.commit), history.merge_base(place, base.tip, place.head)
    if before == now or now is None:
        return list(changes), 0
    theirs = {c.path: c.new_blob for c in diff.tree_diff(place, before or "", now)}
    own = [c for c in changes if theirs.get(c.path) != c.new_blob]
    return own, len(changes) - len(own)
