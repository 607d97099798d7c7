"""What the ledger asks of an index over its batches; ``passdown.store`` implements it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct

from passdown.ledger.alarm import Alarm
from passdown.ledger.check import Batch
from passdown.ledger.fact import Fact
from passdown.ledger.journal import Journalled


class Lost(Exception):  # noqa: N818 - an event between ledger and store, no failure
    """The index was damaged, of another version or not writable, and is empty now: bring it up again."""


class Head(Struct, frozen=True):
    """A batch as others build on it: its clock, its number, the next free sequence number."""

    writer: str
    epoch: str
    lamport: int
    number: int
    ends_at: int


class Link(Struct, frozen=True):
    """A batch whose place in its writer's chain is not settled; ``inner`` is the largest Lamport of its statements."""

    commit: str
    writer: str
    previous: str | None
    lamport: int
    inner: int
    number: int
    sequence: int


class Ticked(Struct, frozen=True):
    """A statement whose clock is not settled; ``seen`` are commits."""

    id: str
    commit: str
    lamport: int
    seen: Sequence[str]


class Row(Struct, frozen=True):
    """One indexed statement; ``body`` is JSON. ``unchecked``: its clock names heads that are not here."""

    id: str
    type: str
    task: str | None
    at: str
    writer: str
    lamport: int
    sequence: int
    body: bytes
    trusted: bool
    unchecked: bool
    people: bool


class Projection(Protocol):
    """An index over batches. Every answer depends on the batches added alone, never on the order they came in."""

    def tips(self) -> dict[str, str]:
        """The refs that were brought in and where they stood."""
        ...

    def adding(self) -> AbstractContextManager[None]:
        """Alone among processes, all or nothing."""
        ...

    def add(self, batch: Batch) -> None:
        """Bring in one batch; one that is there already changes nothing."""
        ...

    def add_alarm(self, alarm: Alarm) -> None:
        """Keep what does not verify."""
        ...

    def links(self) -> list[Link]:
        """The batches whose place is not settled."""
        ...

    def clocks(self) -> list[Ticked]:
        """The statements whose clock is not settled."""
        ...

    def settle_link(self, link: Link, *, holds: bool) -> None:
        """Say whether a batch's place in its chain and its clock hold."""
        ...

    def settle_clock(self, clock: Ticked, *, holds: bool) -> None:
        """Say whether a statement's clock holds."""
        ...

    def set_tips(self, tips: dict[str, str]) -> None:
        """Remember what was brought in."""
        ...

    def heads(self, commits: Sequence[str]) -> dict[str, Head]:
        """Those of the commits that are batches here and sound."""
        ...

    def leads_back(self, commit: str, to: str) -> bool:
        """Whether the chain of ``commit`` goes through ``to``."""
        ...

    def forks(self) -> list[tuple[str, int, list[str]]]:
        """(writer, number, commits) wherever one writer signed several batches of one number."""
        ...

    def rows(
        self,
        *,
        task: str | None = None,
        type: str | None = None,  # noqa: A002 - the word
        prefix: str = "",
        without: str = "",
        tasks: Sequence[str] | None = None,
    ) -> list[Row]:
        """The statements in their order; ``without``: none of that type; ``tasks``: of these alone."""
        ...

    def envelope(self, statement: str) -> bytes | None:
        """A statement's envelope."""
        ...

    def public(self, statement: str) -> str:
        """The key that a statement was checked with; "" where it is not here."""
        ...

    def chain(self, writer: str) -> Iterator[Journalled | Fact]:
        """What a writer's sound batches hold."""
        ...

    def facts(
        self, *, task: str | None = None, kind: str | None = None, tasks: Sequence[str] | None = None
    ) -> Iterator[Fact]:
        """The facts in the order of their batches."""
        ...

    def knows_facts(self, ids: Sequence[str]) -> set[str]:
        """Those of the fact ids that are here."""
        ...

    def kept(self, without: str) -> dict[str, bytes | None]:
        """Every task that has a statement of another type than ``without``, with what is kept of it."""
        ...

    def claim(self, tasks: Sequence[str]) -> str:
        """Say that something will be kept of these tasks; what changes from now on takes that back."""
        ...

    def keep(self, claim: str, told: dict[str, bytes]) -> None:
        """Keep this of each task whose records are as they were when it was claimed."""
        ...

    def alarms(self) -> list[Alarm]:
        """What was kept by :meth:`add_alarm`, and the clocks and links that do not hold."""
        ...

    def forget(self) -> None:
        """Begin anew, empty."""
        ...

    def close(self) -> None:
        """Let go."""
        ...
