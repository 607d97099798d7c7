"""What the next run is told: about 400 tokens, foreign text quoted as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from passdown.model.packet import Packet
from passdown.packet.brief_lines import RANK, WEIGHTY, Line, lines
from passdown.packet.tokens import tokens
from passdown.rules.amount import amount

TOKENS = 400
KEPT = 2
FEW = {"said": 2, "not-verified": 4, "asked-for": 5, "steps": 4}
"""So many of a kind say enough where nobody asked for more."""
_LEFT_OUT = {
    "asked-for": ("asked-for item",),
    "said": ("statement only said", "statements only said"),
    "not-verified": ("unverified pass", "unverified passes"),
    "watch": ("warning",),
    "closed": ("closed item",),
    "steps": ("step",),
    "questions": ("question",),
    "tests": ("changed test",),
    "dead": ("dead end",),
    "note": ("note",),
    "false": ("false statement",),
    "decided": ("decision",),
}


def brief(packet: Packet, now: str | None = None, *, budget: int | None = None) -> str:
    """In at most ``budget`` tokens (None: about 400) what may go goes by rank, and its number is told.

    Goal, boundary, prohibitions and open failures are never cut: the brief grows and says so. Ends with a newline.
    """
    every = list(lines(packet, now or packet.sealed_at))
    aim = TOKENS if budget is None else budget
    limit = aim * 6 // 5 if budget is None else budget
    room = _Room(every, (packet.packet or "")[:7], FEW if budget is None else {})
    room.shrink(aim, KEPT, RANK[: -len(WEIGHTY)])
    room.shrink(limit, 0, RANK)
    text = "\n".join(room.shown()) + "\n"
    if tokens(text) > limit:
        size = tokens(text) // 10 * 10
        text += f"(about {size} tokens; goal, boundary, prohibitions and failures are never cut)\n"
    return text


class _Room:
    """All lines, and how many of each kind stay."""

    def __init__(self, every: list[Line], name: str, few: Mapping[str, int]) -> None:
        self.every = every
        self.name = name
        self.sizes = {kind: [line.size + 1 for line in every if line.kind == kind] for kind in RANK}
        self.kept = {kind: min(len(sizes), few.get(kind, len(sizes))) for kind, sizes in self.sizes.items()}
        self.fixed = sum(line.size + 1 for line in every if line.kind not in self.sizes)

    def shrink(self, room: int, least: int, kinds: Sequence[str]) -> None:
        """Take lines away kind by kind, down to ``least`` of each, until the rest is within ``room`` tokens."""
        size = self.fixed + sum(sum(sizes[: self.kept[kind]]) for kind, sizes in self.sizes.items())
        for kind in kinds:
            while self.kept[kind] > least and size + tokens(self.rest()) > room:
                self.kept[kind] -= 1
                size -= self.sizes[kind][self.kept[kind]]

    def shown(self) -> list[str]:
        """The first lines of each kind, and before the last line what was left out."""
        texts, seen = [], Counter[str]()
        for line in self.every:
            seen[line.kind] += 1
            if seen[line.kind] <= self.kept.get(line.kind, len(self.every)):
                texts.append(line.text)
        return [*texts[:-1], *filter(None, [self.rest()]), *texts[-1:]]

    def rest(self) -> str:
        """What is left out, the most missed first; "" where nothing is."""
        gone = {kind: len(self.sizes[kind]) - self.kept[kind] for kind in reversed(RANK)}
        told = [amount(number, *_LEFT_OUT[kind]) for kind, number in gone.items() if number]
        where = f"passdown show {self.name}".rstrip()
        return f"Left out here: {', '.join(told)}; all: `{where}`" if told else ""
