"""What a caller brings to a packet besides worktree, records and policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from passdown.ledger.alarm import Alarm
from passdown.ledger.fact import Fact
from passdown.model.event import Body, Record
from passdown.model.packet import Guard, Packet
from passdown.model.session import SessionFacts
from passdown.rules.trust import Trust
from passdown.workspace.snapshot import Snapshot


class Records(Protocol):
    """The part of the ledger that packets are built from and sealed into."""

    def records(self, *, task: str | None = None, type: str | None = None) -> list[Record]:  # noqa: A002 - its name
        """Statements of all writers in their order."""

    def facts(self, *, task: str | None = None, kind: str | None = None) -> Iterator[Fact]:
        """Facts of all writers, oldest first."""

    def append(self, body: Body, *, task: str | None, at: str) -> str:
        """Record one statement; its id."""

    def seal(self, packet: Packet, *, at: str) -> str:
        """Append a packet; its digest."""

    def person_keys(self, statement_id: str) -> list[str]:
        """The fingerprints of the people whose signatures over a statement verify."""

    def alarms(self) -> list[Alarm]:
        """What does not verify in the record, as far as it is known."""


class Strays(Struct, frozen=True):
    """Paths outside that nobody answered: changed in earlier runs (``landed``), and while no run was open."""

    landed: Sequence[str] = ()
    between: Sequence[str] = ()


class Ask(Struct, frozen=True):
    """The moment and the caller's wishes. ``now`` is ISO 8601 UTC.

    ``facts`` None: no session, a packet of git, task and evidence alone. ``goal`` overrides what the
    session says. ``owned`` are (pattern, owner) of owners other than the resume owner (from CODEOWNERS).
    ``lapsed``: why the verdict no longer binds. ``strays`` None: nobody looked. ``running``: what shows that the
    packet's run still goes on.
    """

    now: str
    snapshot: Snapshot
    facts: SessionFacts | None = None
    goal: str | None = None
    title: str | None = None
    template: str | None = None
    note: str | None = None
    resume_owner: str | None = None
    reviewers: Sequence[str] = ()
    owned: Sequence[tuple[str, str]] = ()
    guards: Sequence[Guard] = ()
    lapsed: str | None = None
    strays: Strays | None = None
    running: str | None = None
    salt: bytes = b""
    trust: Trust | None = None
