"""Whether the packet that a run works from was taken in: read back, or entered by a person (semantics: section 5)."""

from __future__ import annotations

from msgspec import Struct

from passdown.model.boundary import Boundary
from passdown.model.event import Lifted, ReadBack, Resumed
from passdown.rules.explain import explain
from passdown.rules.hold_table import READBACK_TRIES
from passdown.rules.readback import ReadBack as Said
from passdown.rules.readback import command, expected
from passdown.rules.task import Spot, Stated, TaskView


class Handed(Struct, frozen=True):
    """A packet as it was handed over at one spot.

    ``resumed``: the newest record of that; ``read``: the read-backs since that matched, oldest first; ``entered``: a
    person's Enter took it.
    """

    packet: str
    resumed: Stated[Resumed]
    read: tuple[Stated[ReadBack], ...] = ()
    entered: bool = False

    @property
    def accepted(self) -> Stated[ReadBack] | None:
        """The newest read-back that matched."""
        return self.read[-1] if self.read else None

    @property
    def pending(self) -> bool:
        """Whether nobody took it in yet."""
        return self.accepted is None and not self.entered


def handed(task: TaskView, spot: Spot) -> Handed | None:
    """What was handed over here last; None where nothing was, or the task ended."""
    last = next((r for r in reversed(task.resumes) if (r.body.worktree_id, r.body.branch) == spot), None)
    if last is None or task.ended:
        return None
    said = [back for back in task.readbacks if back.body.accepted and back.here and back.order > last.order]
    mine = tuple(back for back in said if (back.body.worktree_id, back.body.branch) == spot)
    return Handed(last.body.packet, last, mine, last.body.entered)


def asked(task: TaskView, packet: str | None) -> list[str] | None:
    """The open items that the brief of this packet asked to be restated, where that was recorded."""
    said = [resumed.body.asked for resumed in task.resumes if resumed.body.packet == packet]
    return said[-1] if said else None


def gate(task: TaskView, spot: Spot, boundary: Boundary) -> str | None:
    """What opens the gate of a run that must restate its packet, as one line; None where no packet was handed over."""
    given = handed(task, spot)
    if given is None or task.latest is None:
        return None
    name, packet = task.latest.id[:7], task.latest.body
    if _failed(task):
        return f'{name} is on HOLD: its read-back did not match; a person runs: passdown lift {name} --because "..."'
    right = expected(packet, boundary)
    first = given.resumed.body.first
    if not first or not explain(boundary, first).inside:
        first = right.first
    listed = asked(task, task.latest.id)
    line = command(name, Said(right.open if listed is None else listed, first, right.not_))
    return f"read the handoff back before the first write: `{line}` (the brief: passdown show {name} --brief)"


def _failed(task: TaskView) -> bool:
    """Whether two tries did not match and no person lifted that since."""
    packet = task.latest.id if task.latest is not None else None
    if task.failed_readbacks(packet) < READBACK_TRIES:
        return False
    last = max(back.order for back in task.readbacks if back.body.packet == packet)
    return not any(_lifts(lift.body) and lift.order > last for lift in task.lifts)


def _lifts(lift: Lifted) -> bool:
    return not lift.codes or "readback-failed" in lift.codes
