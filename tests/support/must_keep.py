"""The facts of a packet that no brief may leave out, and which of them a text lacks."""

from __future__ import annotations

import re

from passdown.model.packet import Packet
from passdown.packet.brief_lines import QUOTED
from passdown.packet.text import place_of, plain, quote
from passdown.packet.tokens import head
from passdown.rules.open_now import open_now
from passdown.rules.readback import expected

QUOTE = re.compile(r'"((?:[^"\\]|\\+[^"\\]|(?:\\\\)*\\")*(?:\\\\)*)"')


def must_keep(packet: Packet) -> list[str]:
    """As the brief spells them: goal and last request as far as they are quoted, boundary, open failures, orders."""
    task = packet.task
    wanted = [f"{entry.id} {place_of(entry)} (" for entry in packet.boundary.deny]
    wanted += [place_of(entry) for entry in packet.boundary.allow]
    for request in filter(None, (task.goal.text if task.goal.source != "none" else "", task.last_request)):
        wanted.append(inside(head(plain(request), QUOTED)))
    for item in open_now(packet):
        if item.kind in ("failure", "tests", "review"):
            wanted += [item.id, plain(item.text) if item.kind == "failure" else inside(item.text)]
            wanted += [inside(item.error)] if item.error else []
    wanted += [inside(note.text) for note in packet.owner_notes]
    return [
        *wanted,
        packet.hold.state,
        f"--open {','.join(expected(packet).open)}" if expected(packet).open else "readback",
    ]


def missing(packet: Packet, text: str) -> list[str]:
    """The facts that must be kept and do not stand in the brief."""
    gone = [fact for fact in must_keep(packet) if fact not in text]
    quoted = " ".join(QUOTE.sub(lambda found: found[1], line) for line in text.splitlines())
    return gone + [said for said in packet.prohibitions if not heard(plain(said), quoted)]


def inside(text: str) -> str:
    """As it stands within quotes."""
    return quote(text)[1:-1]


def heard(said: str, quoted: str) -> bool:
    """It stands as a whole, or is a request that is quoted as far as it goes, with the rest beside it."""
    if inside(said).casefold() in quoted.casefold():
        return True
    begin = head(said, QUOTED)
    rest = said[len(begin) :].strip()
    return inside(begin) in quoted and inside(rest).casefold() in quoted.casefold()
