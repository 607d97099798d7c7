"""What a verdict says back to the reviewer."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from passdown.cli.effect import effect
from passdown.cli.output import fit, plain
from passdown.cli.paint import screen_width
from passdown.cli.review_screen import DISCLAIMER
from passdown.cli.strays import lines as lines_of
from passdown.packet.words import finished

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.guard.unjudged import Stray
    from passdown.model.boundary import Boundary
    from passdown.model.event import Verdict
    from passdown.model.packet import OwnerNote, Packet


def said(
    packet: Packet, old: Boundary, body: Verdict, stands: Sequence[Stray] = (), notes: Sequence[OwnerNote] = ()
) -> list[str]:
    """The answer, its effect on the boundary ``old``, what it lets stand, the standing notes, what comes next."""
    short = (packet.packet or "")[:7]
    mark = " (self: who ran the agent)" if body.self_ else ""
    word = {"reassign": f"handed over to {body.assignee}", "rollback": "roll back"}.get(body.answer, body.answer)
    lines = [fit(f"ANSWERED {short}   {word} by {body.by}{mark}", screen_width()), *effect(old, body.boundary)]
    for note in notes:
        who = "" if note.by == body.by and body.note else f"   (stays, by {plain(note.by)})"
        lines.append(fill(f'Note       "{plain(note.text)}"{who}', screen_width(), subsequent_indent=" " * 11))
    if body.note == "":
        lines.append("Note       withdrawn")
    for item, because in body.waived.items():
        lines.append(fit(f"Waived     {plain(item)}: {plain(because)}", screen_width()))
    if body.tests_accepted:
        number = len(body.tests_accepted)
        lines.append(f"Accepted   {number} change{'' if number == 1 else 's'} to tests and settings, exactly as shown")
    lines += lines_of("Lets stand", stands)
    lines.append(DISCLAIMER if body.answer in ("approve", "narrow") else _waits(body))
    return [*lines, f"Next       {following(packet, body)}"]


def _waits(body: Verdict) -> str:
    if body.answer == "rollback":
        return "Nothing has changed yet: the roll back is done by a command."
    return f"Held until {body.assignee} answers."


def following(packet: Packet, body: Verdict) -> str:
    """What a person types after that answer."""
    short = (packet.packet or "")[:7]
    if body.answer == "rollback":
        return f"passdown rollback {(body.to or short)[:7]}"
    if body.answer == "reassign":
        return f"passdown review {short}   (by {body.assignee})"
    done = finished(packet)
    return "passdown outcome completed   (every acceptance check passes on this code)" if done else "passdown resume"
