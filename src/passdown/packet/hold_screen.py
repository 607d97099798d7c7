"""The HOLD on one screen."""

from __future__ import annotations

import re

from passdown.model.packet import HoldReason, Packet
from passdown.packet.hold_words import title
from passdown.packet.paint import paint
from passdown.packet.text import cells, cut, folded, plain, wrap
from passdown.packet.words import spoken

NARROW = 60
NOTHING = "   (nothing changed, nothing armed)"


def hold_screen(
    packet: Packet, *, width: int = 100, colour: bool = False, now: str | None = None, after: str = NOTHING
) -> str:
    """Each reason, its fact and command, then what lifts them; ends with a newline. ``after``: the first line's end."""
    width = max(width, NARROW)
    reasons = [reason for reason in packet.hold.reasons if reason.level == "hold"]
    name = (packet.packet or "")[:7]
    head = f"HOLD {name}: {title(reasons[0]) if reasons else 'no reason is known'}"
    lines = [head + after if cells(head + after) <= width else cut(head, width)]
    rows = [row for reason in reasons for row in _rows(reason, now or packet.sealed_at)]
    room = max((cells(fact) for fact, _ in rows), default=0)
    widest = max((cells(command) for _, command in rows), default=0)
    for fact, command in rows:
        lines += _row(fact, command, min(room, max(width - widest - 6, 24)), width)
    return "\n".join(paint([*lines, *_lift(reasons, name, width)], colour=colour)) + "\n"


def _row(fact: str, command: str, room: int, width: int) -> list[str]:
    """Fact and command side by side where both stand whole, else below each other."""
    if not command:
        return wrap("  ", fact.split(" "), width, between=" ")
    if cells(fact) <= room and 2 + room + 4 + cells(command) <= width:
        return [f"  {fact}{' ' * (room - cells(fact))}    {command}"]
    return [*wrap("  ", fact.split(" "), width, between=" "), *folded(" " * 6, command, width, indent=" " * 8)]


def _lift(reasons: list[HoldReason], name: str, width: int) -> list[str]:
    """One way a line, in the order of the reasons; the lift itself comes last."""
    anyhow = f'passdown lift {name} --because "..."'.replace("  ", " ")
    ways = dict.fromkeys(plain(way) for reason in reasons for way in (*(p.lifts for p in reason.parts), reason.lifts))
    told = [*(way for way in ways if way and way != anyhow), anyhow]
    return [
        line
        for at, way in enumerate(told)
        for line in folded("Lift   " if at == 0 else "  or   ", _labelled(way), width, indent=" " * 9)
    ]


def _labelled(way: str) -> str:
    """What the command amounts to, where its words do not say so."""
    answer = re.match(r"passdown note --answer (\w+)", way)
    label = f"answer {answer[1]}: " if answer else "new plan: " if way.startswith("passdown start ") else ""
    return label + way


def _rows(reason: HoldReason, today: str) -> list[tuple[str, str]]:
    """A reason's fact, or each sign of its arithmetic, beside the command that shows it."""
    if not reason.parts:
        return [(spoken(reason.fact, today), plain(reason.reproduce))]
    rows = [(spoken(part.fact, today), plain(part.reproduce)) for part in reason.parts]
    sum_ = reason.fact.rpartition(": ")[2]
    return [*rows[:-1], (rows[-1][0], sum_)] if not rows[-1][1] else [*rows, (sum_, "")]
