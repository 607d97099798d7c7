"""Recording a person's answer, whichever way it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from passdown.cli.folder import instant
from passdown.cli.reviewer import reviewer, signer
from passdown.cli.strays import let_stand, names, strays_of
from passdown.review.verdict import Ground, Reply, Reviewer, verdict
from passdown.workspace import snapshot

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.event import Verdict
    from passdown.model.packet import Packet
    from passdown.rules.task import TaskView


def record(context: Context, packet: Packet, task: TaskView, reply: Reply) -> tuple[str, Verdict]:
    """Sign and append the verdict; the statement's id and what it says."""
    person = signer(context)
    who: Reviewer = reviewer(context, packet, person)
    stands = let_stand(strays_of(context, packet, task), reply.answer, reply.boundary)
    snapshot.keep(context.place, context.snapshot.tree)
    context.now = instant()
    body = verdict(packet, task, who, reply, ground(context))
    body = structs.replace(body, accepted=names(stands), tree=context.snapshot.tree)
    subjects = {"packet": packet.packet or "", "boundary": body.boundary_digest}
    statement = context.recorder.append(
        body, task=task.id, at=context.now, subjects=subjects, person_signer=person.signs
    )
    context.forget()
    return statement, body


def ground(context: Context) -> Ground:
    """What a verdict of this moment rests on."""
    from passdown.workspace.diff import list_tree

    return Ground(context.base, context.owners, tuple(list_tree(context.place, context.snapshot.tree)))
