"""A run over time: what the person asked, what was edited and run, which checks came out how, what was denied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from passdown.packet.text import clock, cut, plain
from passdown.rules.instants import seconds

Lane = Literal["asked", "edited", "ran", "checked", "denied"]
LANES: tuple[Lane, ...] = ("asked", "edited", "ran", "checked", "denied")
WIDTH = 1000.0
ROW = 34.0
LEFT = 90.0
_TEXT = 160
_TICKS = 6


class Event(Struct, frozen=True):
    """One thing that happened: when (ISO 8601), in which lane, what, and its record; ``tone``: good, bad or ""."""

    at: str
    lane: Lane
    text: str
    record: int | None = None
    tone: str = ""


class Mark(Struct, frozen=True):
    """An event with its place on the picture."""

    event: Event
    x: float
    y: float
    clock: str


class Timeline(Struct, frozen=True):
    """The picture: marks, hour ticks (x, text), the lanes' (y, name), and its size."""

    marks: Sequence[Mark]
    ticks: Sequence[tuple[float, str]]
    lanes: Sequence[tuple[float, Lane]]
    width: float
    height: float


def timeline(events: Sequence[Event]) -> Timeline:
    """Place the events; those without an instant have no place."""
    known = ((when, event) for event in events if (when := seconds(event.at)) is not None)
    timed = sorted(known, key=lambda pair: pair[0])
    lanes = [(ROW * (row + 0.5), lane) for row, lane in enumerate(LANES)]
    height = ROW * len(LANES) + 24
    if not timed:
        return Timeline((), (), lanes, WIDTH, height)
    first, last = timed[0][0], timed[-1][0]
    span = max(last - first, 1.0)
    rows = {lane: y for y, lane in lanes}

    def across(when: float) -> float:
        return round(LEFT + (WIDTH - LEFT - 20) * (when - first) / span, 1)

    marks = [Mark(event, across(when), rows[event.lane], clock(event.at)) for when, event in timed]
    return Timeline(marks, list(_ticks(timed, across)), lanes, WIDTH, height)


def _ticks(timed: Sequence[tuple[float, Event]], across: Callable[[float], float]) -> Iterator[tuple[float, str]]:
    """Evenly spread instants, each told as the clock time of the event nearest to it."""
    first, last = timed[0][0], timed[-1][0]
    told = ""
    for step in range(_TICKS):
        when = first + (last - first) * step / (_TICKS - 1)
        near = min(timed, key=lambda pair: abs(pair[0] - when))
        text = clock(near[1].at)
        if text != told:
            yield across(near[0]), text
        told = text


def short(text: str) -> str:
    """An event's text on one line."""
    return cut(plain(text), _TEXT)
