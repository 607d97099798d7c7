"""The ledger of one clone: append, flush, read, verify."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from passdown.ledger.alarm import Alarm
from passdown.ledger.fact import Fact
from passdown.ledger.person import PersonSigner
from passdown.model.event import Body, Record
from passdown.model.packet import Packet


class Ledger:
    """Statements and facts of all writers, as this clone knows them.

    Nothing is created on disk before the first write. What ``append`` returned for, survives the
    death of the process, whether or not its batch could be committed (``pending`` says why not).
    """

    pending: str = ""

    def __init__(self, home: Path, object_format: str = "sha1") -> None:
        raise NotImplementedError

    def append(
        self,
        body: Body,
        *,
        task: str | None,
        at: str,
        subjects: dict[str, str] | None = None,
        person_signer: PersonSigner | None = None,
    ) -> str:
        """Sign, journal and flush one statement; its id. ``subjects`` maps names to digests ("tree", "commit", other)."""
        raise NotImplementedError

    def seal(self, packet: Packet, *, at: str) -> str:
        """Append a packet (its ``packet`` field is emptied); PassdownError above 256 KB."""
        raise NotImplementedError

    def fact(self, kind: str, data: dict[str, str | int | None], *, task: str | None, at: str) -> None:
        """Journal one fact."""
        raise NotImplementedError

    def flush(self) -> None:
        """Commit what is journalled; PassdownError where that fails (it stays journalled)."""
        raise NotImplementedError

    def records(self, *, task: str | None = None, type: str | None = None) -> list[Record]:  # noqa: A002 - the word
        """The statements of all writers in the order of their clocks, journalled ones included."""
        raise NotImplementedError

    def record(self, id_or_prefix: str, type: str | None = None) -> Record:  # noqa: A002 - the word
        """The one statement whose id begins so (at least 4 digits); PassdownError if none or several."""
        raise NotImplementedError

    def facts(self, *, task: str | None = None, kind: str | None = None) -> Iterator[Fact]:
        """The facts of all writers, in the order of their batches."""
        raise NotImplementedError

    def person_keys(self, statement: str) -> list[str]:
        """The fingerprints (``SHA256:...``) of the people whose SSH signatures over a statement verify."""
        raise NotImplementedError

    def verify(self) -> list[Alarm]:
        """Re-read everything from git: digests, signatures, clocks, chains, rewinds and forks."""
        raise NotImplementedError

    def alarms(self) -> list[Alarm]:
        """What was found broken on import, and rewinds and forks as of now: quick."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the database."""
