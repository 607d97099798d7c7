"""The ledger of one clone: append, flush, read, verify."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from passdown.errors import EXIT_UNDECIDED, PassdownError, unwritable
from passdown.ledger import audit, envelope, git_log, intake, journal, objects, statement
from passdown.ledger.alarm import Alarm, DamagedError
from passdown.ledger.envelope import IN_TOTO, Signature, pae
from passdown.ledger.fact import Fact
from passdown.ledger.flush import flush
from passdown.ledger.heads import clock_now
from passdown.ledger.journal_faults import faults
from passdown.ledger.planted import planted
from passdown.ledger.projection import Lost, Projection, Row
from passdown.ledger.reading import as_record, journalled_rows
from passdown.ledger.writer import ensure_writer, known_writer
from passdown.model.event import BULKY, Body, Record
from passdown.model.packet import MAX_BYTES, Packet
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from passdown.ledger.person import PersonSigner

T = TypeVar("T")

_SHORTEST = 4


class Ledger:
    """Statements and facts of all writers, as this clone knows them.

    Nothing is created on disk before the first write. What ``append`` returned for, survives the
    death of the process, whether or not its batch could be committed (``pending`` says why not).
    """

    def __init__(self, home: Path, object_format: str, index: Projection, scratch: Callable[[], Projection]) -> None:
        self._home = home
        self._object_format = object_format
        self._index = index
        self._scratch = scratch
        self.pending = ""
        self.clean: Callable[[Body], Body] = lambda body: body  # what redacts it, before it is hashed
        self.appended: Callable[[Body], None] = lambda _: None  # told after each statement

    @property
    def writer(self) -> str:
        """The writer of this clone; "" before its first write."""
        return known_writer(self._home) or ""

    def append(
        self,
        body: Body,
        *,
        task: str | None,
        at: str,
        subjects: dict[str, str] | None = None,
        person_signer: PersonSigner | None = None,
    ) -> str:
        """Redact, sign, journal and flush one statement; its id. ``subjects``: names ("tree", other) to digests."""
        with self._writing():
            self._home.mkdir(parents=True, exist_ok=True)
            writer = ensure_writer(self._home)
        clock = self._current(lambda index: clock_now(self._home, index, writer.id))
        payload = statement.write(self.clean(body), subjects or {}, task=task, at=at, writer=writer.id, clock=clock)
        message = pae(IN_TOTO, payload)
        signatures = [writer.sign(message)]
        person = person_signer.sign(message) if person_signer else None
        if person is not None:
            signatures.append(Signature(keyid=person.fingerprint, sig=person.encoded()))
        name = envelope.statement_id(payload)
        sealed = envelope.seal(IN_TOTO, payload, signatures)
        line = journal.Journalled(statement=name, public=writer.public, envelope=msgspec.Raw(sealed))
        with self._writing():
            journal.write(self._home, msgspec.json.encode(line), sync=True)
        try:
            self._flush(current=True)
        except PassdownError as error:  # it is journalled: the next command commits it
            self.pending = error.message
        self.appended(body)
        return name

    def seal(self, packet: Packet, *, at: str) -> str:
        """Append a packet (its ``packet`` field is emptied); PassdownError above 256 KB."""
        draft = msgspec.structs.replace(packet, packet=None)
        size = len(msgspec.json.encode(draft))
        if size > MAX_BYTES:
            raise PassdownError(f"the packet is {size // 1024} KB; at most {MAX_BYTES // 1024} KB can be sealed")
        subjects = {"tree": packet.place.tree}
        return self.append(draft, task=packet.task.id, at=at, subjects=subjects)

    def fact(self, kind: str, data: dict[str, str | int | None], *, task: str | None, at: str) -> None:
        """Journal one fact."""
        record = Fact(id=os.urandom(16).hex(), kind=kind, at=at, task=task, data=data)
        with self._writing():
            journal.write(self._home, msgspec.json.encode(record), sync=False)

    def flush(self) -> None:
        """Commit what is journalled; PassdownError where that fails (it stays journalled)."""
        if self._home.is_dir():
            self._flush(current=False)

    def records(
        self,
        *,
        task: str | None = None,
        type: str | None = None,  # noqa: A002 - the word
        parts: Mapping[str, type[Any]] | None = None,
        tasks: Sequence[str] | None = None,
    ) -> list[Record]:
        """The statements of all writers in the order of their clocks, journalled ones included.

        Attachments come where their type is asked for, not with the others. ``parts``: for a type a struct with some
        of its body's fields, which is then decoded no further. ``tasks``: of these alone.
        """
        rows = self._rows(task=task, type=type, tasks=tasks)
        mine = known_writer(self._home)
        return [record for row in rows if (record := as_record(row, mine, parts)) is not None]

    def record(self, id_or_prefix: str, type: str | None = None) -> Record:  # noqa: A002 - the word
        """The one statement whose id begins so (at least 4 digits); PassdownError if none or several."""
        prefix, noun = id_or_prefix.lower(), "rescue" if type == "rescued" else type or "record"
        if len(prefix) < _SHORTEST or not set(prefix) <= set("0123456789abcdef"):
            raise PassdownError(f"not an id: {id_or_prefix!r}", f"at least {_SHORTEST} digits of a {noun}'s id")
        rows = self._rows(type=type, prefix=prefix)
        found = [record for row in rows if (record := as_record(row, known_writer(self._home))) is not None]
        if len(found) == 1:
            return found[0]
        if not found:
            raise PassdownError(f"no {noun} {id_or_prefix} in this clone", "passdown log lists what is here")
        several = ", ".join(each.id[: len(prefix) + 4] for each in found[:4])
        raise PassdownError(f"{id_or_prefix} names {amount(len(found), 'record')}: {several}", "give more digits")

    def facts(
        self, *, task: str | None = None, kind: str | None = None, tasks: Sequence[str] | None = None
    ) -> Iterator[Fact]:
        """The facts of all writers in the order of their batches; journalled ones last."""
        lines = journal.pending(self._home, statements=False)
        given, whole = 0, False
        while not whole:
            try:
                self._bring_up()
                for fact in islice(self._index.facts(task=task, kind=kind, tasks=tasks), given, None):
                    given += 1
                    yield fact
                whole = True
            except Lost:  # go on in the index brought up anew: its order is the same
                continue
        waiting = [read for line in lines if (read := journal.fact(line)) is not None]
        waiting = [each for each in waiting if task in {None, each.task} and kind in {None, each.kind}]
        waiting = waiting if tasks is None else [each for each in waiting if each.task in tasks]
        known = self._current(lambda index: index.knows_facts([each.id for each in waiting])) if waiting else set()
        yield from {each.id: each for each in waiting if each.id not in known}.values()

    def kept(self) -> tuple[dict[str, bytes | None], set[str]]:
        """What is kept of each task, None where nothing is; and the tasks of which something waits in the journal.

        Of those nothing can be kept: what waits is not in the index, and may never be.
        """
        lines = journal.pending(self._home, statements=True)
        told = [fact for line in journal.pending(self._home, statements=False) if (fact := journal.fact(line))]
        found = self._current(lambda index: index.kept(BULKY))
        known = self._current(lambda index: index.knows_facts([fact.id for fact in told])) if told else set()
        waiting = {fact.task for fact in told if fact.id not in known and fact.task in found}
        for row, _ in journalled_rows([line for line in lines if not self._indexed(line)]):
            if row.task is not None:
                waiting.add(row.task)
                found.setdefault(row.task, None)
        return found, waiting

    def _indexed(self, line: bytes) -> bool:
        """Whether the statement on a journal's line is in the index, too."""
        read = journal.statement(line)
        return read is not None and bool(self._current(lambda index: index.public(read.statement)))

    def claim(self, tasks: Sequence[str]) -> str:
        """Say, before their records are read, that something will be kept of these tasks (see :meth:`keep`)."""
        return self._current(lambda index: index.claim(tasks))

    def keep(self, claim: str, told: dict[str, bytes]) -> None:
        """Keep this of each task, as long as none of its records changed since it was claimed, and until one does."""
        self._index.keep(claim, told)

    def unknown(self) -> dict[str, int]:
        """How many statements of which type are here that this version cannot read."""
        mine = known_writer(self._home)
        return dict(Counter(row.type for row in self._rows() if as_record(row, mine) is None))

    def unchecked(self) -> list[str]:
        """The statements whose clock names heads of chains that are not here: kept, not checked."""
        return [row.id for row in self._rows() if row.unchecked]

    def person_keys(self, statement_id: str) -> list[str]:
        """The fingerprints (``SHA256:...``) of the people whose SSH signatures over a statement verify."""
        sealed = self.envelopes([statement_id]).get(statement_id)
        return audit.person_keys(sealed) if sealed else []

    def envelopes(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The envelopes of these statements, as they were signed; those that are not here are left out."""
        lines = journal.pending(self._home, statements=True)
        waiting = {row.id: sealed for row, sealed in journalled_rows(lines)}
        known = self._current(lambda index: {name: index.envelope(name) for name in ids})
        found = ((name, known[name] or waiting.get(name)) for name in ids)
        return {name: sealed for name, sealed in found if sealed}

    def public_key(self, statement_id: str) -> str:
        """The public key (base64) of the writer of a statement; "" where it is not here."""
        for line in journal.pending(self._home, statements=True):
            waiting = journal.statement(line)
            if waiting is not None and waiting.statement == statement_id:
                return waiting.public
        return self._current(lambda index: index.public(statement_id))

    def verify(self, *, partial: bool = False) -> list[Alarm]:
        """Re-read everything from git: digests, signatures, clocks, chains, rewinds and forks; journal and objects too.

        An index that says anything else is told, and made anew. ``partial``: the clone lacks objects by itself.
        """
        made = planted(self._home)  # first: whatever reads next may write the small files anew
        try:
            found = [*self._chains(), *self._journal(), *objects.broken(self._home / "store.git", partial=partial)]
        except DamagedError as error:
            found = [Alarm("unreadable", error.message)]
        return [*found, *made]

    def _chains(self) -> list[Alarm]:
        for last in (False, False, True):
            scratch = self._scratch()
            try:
                now = intake.bring_up(self._home, scratch, deep=True)
                edited = self._current(lambda index: audit.differing(index, scratch))  # noqa: B023 - used at once
                if edited and not last and git_log.tips(self._home / "store.git") != now:
                    continue  # another process wrote meanwhile
                found = [*audit.alarms(self._home, scratch, now), *audit.apart(self._home)]
                found += audit.cut(scratch, now, self.writer)
                found += self._current(lambda index: audit.forgotten(index, scratch, found))  # noqa: B023 - as above
            finally:
                scratch.close()
            if not edited:
                return found
            self._index.forget()
            text = f"{amount(edited, 'record')} of the index not as the chains say: it was edited, and is made anew"
            return [*found, Alarm("index", text)]
        return []

    def _journal(self) -> list[Alarm]:
        """What waits in the journal and was not written so."""
        lines = [*journal.pending(self._home, statements=True), *journal.pending(self._home, statements=False)]
        waiting = {fact.id: fact for line in lines if (fact := journal.fact(line)) is not None}
        known = self._current(lambda index: index.knows_facts(list(waiting))) if waiting else set()
        committed = {fact.id: fact for fact in self._index.facts() if fact.id in known} if known else {}
        writers = {ref.split("/")[-2] for ref in self._current(lambda index: index.tips())}
        return faults(lines, writers | {self.writer}, committed.get)

    def alarms(self) -> list[Alarm]:
        """What was found broken when it came in, and rewinds and forks as of now: quick."""
        return self._retrying(lambda: audit.alarms(self._home, self._index, self._bring_up()))

    def close(self) -> None:
        """Let go of the database."""
        self._index.close()

    def _rows(
        self,
        *,
        task: str | None = None,
        type: str | None = None,  # noqa: A002
        prefix: str = "",
        tasks: Sequence[str] | None = None,
    ) -> list[Row]:
        lines = journal.pending(self._home, statements=True)
        without = BULKY if type is None and not prefix else ""
        rows = self._current(
            lambda index: index.rows(task=task, type=type, prefix=prefix, without=without, tasks=tasks)
        )
        known = {row.id for row in rows}
        for row, _ in journalled_rows(lines):
            if row.id in known or row.type == without or task not in {None, row.task} or type not in {None, row.type}:
                continue
            if tasks is not None and row.task not in tasks:
                continue
            if row.id.startswith(prefix):
                rows.append(row)
                known.add(row.id)
        return sorted(rows, key=lambda row: (row.lamport, row.writer, row.sequence))

    def _flush(self, *, current: bool) -> None:
        with self._writing():
            self._retrying(lambda: flush(self._home, self._object_format, self._index, current=current))
        self.pending = ""

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise unwritable(self._home, error) from error

    def _bring_up(self) -> dict[str, str]:
        if not (self._home / "store.git").is_dir() and not (self._home / "index.db").exists():
            return {}
        return intake.bring_up(self._home, self._index)

    def _current(self, ask: Callable[[Projection], T]) -> T:
        def asked() -> T:
            self._bring_up()
            return ask(self._index)

        return self._retrying(asked)

    @staticmethod
    def _retrying(action: Callable[[], T]) -> T:
        for _ in range(3):
            try:
                return action()
            except Lost:  # the index is empty now and is brought up again
                continue
        raise PassdownError("the index cannot be kept", "remove passdown/index.db in the git folder", EXIT_UNDECIDED)
