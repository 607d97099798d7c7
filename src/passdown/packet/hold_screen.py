"""The HOLD on one screen."""

from __future__ import annotations

from passdown.model.packet import HoldReason, Packet
from passdown.packet.paint import paint
from passdown.packet.text import cells, cut, plain
from passdown.packet.words import spoken

TITLES = {
    "goal-unknown": "no clear goal",
    "boundary-missing": "no boundary",
    "wrong-place": "this is another place",
    "integrity-broken": "the record does not verify",
    "content-missing": "sealed content is not here",
    "failure-without-plan": "a failure blocks and no step names it",
    "replan-cheaper": "replanning looks cheaper than continuing",
    "held-by-person": "a person stopped it",
    "handed-over": "waiting for the maintainer it was handed to",
    "rollback-pending": "a rollback was asked for",
    "readback-failed": "the read-back did not match",
    "boundary-violated": "something changed outside the boundary",
    "architecture-question": "an open architecture question",
    "contradicted-claims": "what was said is not so",
    "tree-drift": "a denied path changed since it was sealed",
    "interrupted-dirty": "the run is still going",
    "base-drift": "the base changed the same lines",
}
NARROW = 60


def hold_screen(packet: Packet, *, width: int = 100, colour: bool = False) -> str:
    """Each reason with its fact and command, then what lifts them. Ends with a newline."""
    width = max(width, NARROW)
    reasons = [reason for reason in packet.hold.reasons if reason.level == "hold"]
    name = (packet.packet or "")[:7]
    title = TITLES.get(reasons[0].code, reasons[0].code) if reasons else "no reason is known"
    lines = [cut(f"HOLD {name}: {title}   (nothing changed, nothing armed)", width)]
    rows = [row for reason in reasons for row in _rows(reason)]
    room = min(max((cells(fact) for fact, _ in rows), default=0), width * 3 // 5)
    for fact, command in rows:
        shown = cut(fact, room if command else width - 2)
        gap = " " * max(room - cells(shown), 0)
        lines.append(cut(f"  {shown}{gap}   {command}".rstrip(), width))
    lifts = dict.fromkeys(plain(reason.lifts) for reason in reasons)
    anyhow = f'passdown lift {name} --because "..."'.replace("  ", " ")
    for at, lift in enumerate([*(text for text in lifts if text != anyhow), anyhow]):
        lines.append(cut(f"{'Lift' if at == 0 else '  or'}   {lift}", width))
    return "\n".join(paint(lines, colour=colour)) + "\n"


def _rows(reason: HoldReason) -> list[tuple[str, str]]:
    """One row for each sign of the arithmetic; the command stands beside the first."""
    signs = spoken(reason.fact).split("; ") if reason.code == "replan-cheaper" else [spoken(reason.fact)]
    return [(sign, plain(reason.reproduce) if at == 0 else "") for at, sign in enumerate(signs)]
