"""The notes that reviewers left for the next run: each stays until its reviewer replaces or withdraws it."""

from __future__ import annotations

from msgspec import structs

from passdown.model.event import Verdict
from passdown.model.packet import OwnerNote
from passdown.rules.task import Stated, TaskView


def owner_notes(task: TaskView, packet: str) -> list[OwnerNote]:
    """Each reviewer's standing note to this packet, the oldest first.

    A note to an earlier packet goes on to this one where no run was resumed in between: nobody has read it. An empty
    note withdraws, an answer without one leaves the note that stands.
    """
    found: dict[str, OwnerNote] = {}
    for given in sorted(_heard(task, packet), key=lambda v: v.order):
        body = given.body
        stands = found.pop(body.by, None)
        if body.note is None and stands is not None:
            found[body.by] = structs.replace(stands, answer=body.answer)
        elif body.note:
            found[body.by] = OwnerNote(by=body.by, answer=body.answer, text=body.note, at=given.at)
    return list(found.values())


def _heard(task: TaskView, packet: str) -> list[Stated[Verdict]]:
    """The answers whose notes are for the run that begins from this packet."""
    sealed = next((p.order for p in task.packets if p.id == packet), None)
    if sealed is None:
        return []
    begun = max((r.order for r in task.resumes if r.order < sealed), default=None)
    waiting = [v for v in task.verdicts if v.order < sealed and (begun is None or v.order > begun)]
    return [*waiting, *(v for v in task.verdicts if v.body.packet == packet)]
