"""A packet's open items as they stand when it is shown."""

from __future__ import annotations

from passdown.model.packet import Item, Packet, PacketCheck
from passdown.rules.task import TaskView

ORDER = ("failure", "tests", "architecture", "question", "review", "step", "widen")


def open_now(packet: Packet) -> list[Item]:
    """The sealed items that are still open, and those since: failures first, then questions, comments, steps, paths.

    A failure whose check passes on exactly this code is done (case B7).
    """
    passing = {check.name for check in packet.checks if passes_now(check)}
    sealed = [i for i in packet.items if packet.still_open is None or i.id in packet.still_open]
    items = [i for i in (*sealed, *packet.items_since) if not (i.kind == "failure" and i.check in passing)]
    return sorted(items, key=lambda item: ORDER.index(item.kind))


def items_of(task: TaskView | None, packet: Packet | None) -> list[Item]:
    """The task's open items: as its newest packet stands, before the first one as the record says."""
    if packet is not None:
        return open_now(packet)
    return task.items if task is not None else []


def passes_now(check: PacketCheck) -> bool:
    """Whether it passes on exactly this code: VERIFIED, or all that stands against it are tests that were accepted."""
    return check.class_ == "VERIFIED" or check.accepted is not None
