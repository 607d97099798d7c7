"""The runs of a task: begun by `resume` or first seen by a packet, ended by a packet."""

from __future__ import annotations

from msgspec.structs import replace

from passdown.model.event import Resumed
from passdown.model.packet import Packet
from passdown.rules.task import RunView, Stated


def run_of_resume(runs: list[RunView], stated: Stated[Resumed]) -> list[RunView]:
    """A resumed run begins; repeating it for the same run only renews the lease."""
    body = stated.body
    if any(run.id == body.run for run in runs):
        return runs
    spot = (body.worktree_id, body.branch)
    return [*runs, RunView(body.run, spot, stated.at, agent=body.agent, resumed_from=body.packet)]


def run_of_packet(runs: list[RunView], stated: Stated[Packet]) -> list[RunView]:
    """The run that a packet seals, new or known by its id."""
    run, place = stated.body.run, stated.body.place
    known = next((r for r in runs if r.id == run.id), None)
    told = replace(
        known or RunView(run.id, (place.worktree_id, place.branch), run.started),
        agent=run.agent or (known.agent if known else None),
        session=run.session,
        from_=run.from_,
        through=run.through,
        ended=run.ended,
        end=run.end.reason,
        packet=stated.id,
        resumed_from=run.resumed_from or (known.resumed_from if known else None),
    )
    return [told if r is known else r for r in runs] if known else [*runs, told]
