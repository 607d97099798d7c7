"""A reviewer's answer as a verdict, bound to what the reviewer saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from passdown.model.boundary import Boundary
from passdown.model.event import Verdict
from passdown.model.packet import Answer, Packet, Presence
from passdown.review.owners import Owners
from passdown.rules.decide import patterns
from passdown.rules.match import Matcher
from passdown.rules.task import TaskView

Acceptance = Literal["done", "not addressed", "not known"]


class Reviewer(Struct, frozen=True):
    """Who answers and how sure that is; ``self_``: the person who ran the agent."""

    by: str
    presence: Presence
    self_: bool


class Reply(Struct, frozen=True):
    """What the reviewer said. ``boundary`` is the one that the answer leads to.

    ``tests_accepted``: digests of the changes to tests and settings that stand, exactly these.
    """

    answer: Answer
    boundary: Boundary
    note: str | None = None
    to: str | None = None
    assignee: str | None = None
    waived: Mapping[str, str] = field(default_factory=dict)
    acceptance: Mapping[str, Acceptance] = field(default_factory=dict)
    blockers_complete: bool | None = None
    overstated: bool | None = None
    tests_accepted: Sequence[str] = ()


class Ground(Struct, frozen=True):
    """What it rests on: the base commit, its CODEOWNERS, and the paths of the tree."""

    base: str | None
    owners: Owners
    paths: tuple[str, ...]


def verdict(packet: Packet, task: TaskView, reviewer: Reviewer, reply: Reply, ground: Ground) -> Verdict:
    """The statement to append; ``packet`` is sealed."""
    return Verdict(
        task=packet.task.id,
        packet=packet.packet or "",
        answer=reply.answer,
        by=reviewer.by,
        presence=reviewer.presence,
        self_=reviewer.self_,
        boundary=reply.boundary,
        boundary_digest=reply.boundary.digest,
        previous=task.verdicts[-1].id if task.verdicts else None,
        owners=ground.owners.of_all(allowed_paths(reply.boundary, ground.paths)),
        note=reply.note,
        to=reply.to,
        assignee=reply.assignee,
        waived=dict(reply.waived),
        acceptance=dict(reply.acceptance),
        blockers_complete=reply.blockers_complete,
        overstated=reply.overstated,
        tests_accepted=list(reply.tests_accepted),
        base=ground.base,
        codeowners=ground.owners.digest,
    )


def allowed_paths(boundary: Boundary, paths: tuple[str, ...]) -> list[str]:
    """Those of ``paths`` that an allow entry names."""
    allowed = Matcher.compile(patterns(boundary.allow))
    return [path for path in paths if allowed.matches(path) is not None]
