"""Settled decisions that a run reopened."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from passdown.rules.instants import seconds
from passdown.rules.match import Matcher
from passdown.rules.measures.trail import Trail


def superseded(trail: Trail, covers: Callable[[str], bool]) -> Iterator[str]:
    """Settled decisions (D1 ...) that an agent's decision replaced at an instant which ``covers`` holds."""
    settled = {d.id for packet in trail.packets for d in packet.body.decisions if d.settled}
    for note in trail.notes:
        body = note.body
        if body.kind == "decision" and body.by == "agent" and body.supersedes in settled and covers(note.at):
            yield body.supersedes


def unkept(trail: Trail, began: str, changed: Collection[str]) -> Iterator[str]:
    """Decisions of a person that stood when the run ``began`` and whose kept paths are among those ``changed``."""
    for note in trail.notes:
        body = note.body
        if body.keep and body.by == "person" and (seconds(note.at) or 0.0) <= (seconds(began) or 0.0):
            matcher = Matcher.compile(body.keep)
            if any(matcher.matches(path) is not None for path in changed):
                yield note.id
