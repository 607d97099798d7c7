"""The part of a session that no packet has sealed yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

import msgspec

from passdown.model.session import SessionFacts
from passdown.rules.task import TaskView


class Recorded(Protocol):
    """A fact that knows its record."""

    @property
    def record(self) -> int | None:
        """The zero-based number of the record that shows it."""


Fact = TypeVar("Fact", bound=Recorded)


def sealed_through(tasks: Iterable[TaskView], session: str | None) -> int:
    """The last record of the session that a packet has sealed; -1: none."""
    packets = (stated.body for task in tasks for stated in task.packets)
    return max(
        (p.run.through for p in packets if session and p.run.session == session and p.run.through is not None),
        default=-1,
    )


def after(facts: SessionFacts, record: int) -> SessionFacts:
    """What happened after the record; standing words (prohibitions, decisions, to-dos) stay whole."""
    if record < 0:
        return facts
    return msgspec.structs.replace(
        facts,
        requests=_later(facts.requests, record),
        writes=_later(facts.writes, record),
        commands=_later(facts.commands, record),
        checks=_later(facts.checks, record),
        claims=_later(facts.claims, record),
        dead_ends=_later(facts.dead_ends, record),
        background=_later(facts.background, record),
        hook_writes=_later(facts.hook_writes, record),
    )


def _later(facts: Sequence[Fact], record: int) -> list[Fact]:
    return [fact for fact in facts if fact.record is None or fact.record > record]
