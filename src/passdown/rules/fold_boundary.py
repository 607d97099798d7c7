"""Which boundary binds which spot: by hand, by a verdict, or armed by `resume`; versions only go up."""

from __future__ import annotations

from msgspec.structs import replace

from passdown.model.boundary import Boundary
from passdown.model.event import BoundarySet, Resumed, TaskOpened, Verdict
from passdown.rules.narrow import widening
from passdown.rules.task import InForce, Spot, Stated, TaskView


def opened(view: TaskView, spot: Spot, stated: Stated[TaskOpened]) -> None:
    """`passdown start` arms what it was given."""
    _arm(view, spot, stated.body.boundary, stated, None)


def resumed(view: TaskView, spot: Spot, stated: Stated[Resumed]) -> None:
    """`resume` arms the boundary that it states; an older version than the spot's is refused."""
    known = view.in_force.get(spot)
    if known is not None and stated.body.boundary.version < known.boundary.version:
        view.refused.append(stated.id)
        return
    _arm(view, spot, stated.body.boundary, stated, stated.body.packet)


def by_hand(view: TaskView, stated: Stated[BoundarySet]) -> None:
    """A person sets it for one spot; once there was a verdict, a hand only narrows."""
    body = stated.body
    spot = (body.worktree_id, body.branch)
    known = view.in_force.get(spot)
    old = known is not None and body.boundary.version <= known.boundary.version
    reviewed = known is not None and any(v.body.packet == known.packet for v in view.verdicts)
    if old or (known and reviewed and widening(body.boundary, known.boundary)):
        view.refused.append(stated.id)
        return
    view.claims.setdefault(spot, stated.order)
    _arm(view, spot, body.boundary, stated, known.packet if known else None)


def decided(view: TaskView, stated: Stated[Verdict]) -> None:
    """A verdict on the packet that a spot was resumed from changes that spot's boundary at once."""
    body = stated.body
    if body.answer not in ("approve", "narrow"):
        return
    for spot, known in list(view.in_force.items()):
        if known.packet == body.packet and body.boundary.version > known.boundary.version:
            _arm(view, spot, body.boundary, stated, known.packet)


def touch(view: TaskView) -> None:
    """The task's last record keeps its boundaries awake."""
    for spot, known in view.in_force.items():
        view.in_force[spot] = replace(known, touched=view.last_at)


def _arm(view: TaskView, spot: Spot, boundary: Boundary, stated: Stated[object], packet: str | None) -> None:
    view.in_force[spot] = InForce(
        boundary=boundary,
        source=boundary.source,
        record=stated.id,
        at=stated.at,
        touched=stated.at,
        packet=packet,
    )
