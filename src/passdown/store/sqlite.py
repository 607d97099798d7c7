"""The index as a SQLite file beside the store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Raw
from msgspec.json import decode, encode

from passdown.ledger.alarm import Alarm
from passdown.ledger.check import Batch, Stated
from passdown.ledger.fact import Fact
from passdown.ledger.journal import Journalled
from passdown.ledger.projection import Head, Link, Row, Ticked
from passdown.store.sqlite_file import SqliteFile

_STATEMENTS = """
SELECT s.id, s.type, s.task, s.at, s.writer, s.lamport, s.sequence, s.body,
    s.sound AND ifnull(s.holds, 1) AND ifnull(b.holds, 1), s.holds IS NULL, s.people
FROM statements s JOIN batches b ON b.place = s.batch
"""
_INSERT_STATEMENT = """
INSERT INTO statements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    rank = excluded.rank, batch = excluded.batch, type = excluded.type, task = excluded.task, at = excluded.at,
    writer = excluded.writer, lamport = excluded.lamport, sequence = excluded.sequence, seen = excluded.seen,
    body = excluded.body, envelope = excluded.envelope, public = excluded.public, people = excluded.people,
    sound = excluded.sound, holds = excluded.holds
WHERE excluded.rank < rank
"""
_FACTS = """
SELECT f.id, f.kind, f.at, f.task, f.data, b.writer FROM facts f JOIN batches b ON b.place = f.batch
"""
_BY_BATCH = " ORDER BY b.lamport, b.writer, b.number, b.id, f.line"


class SqliteProjection:
    """The index in ``path`` (a file, or ``:memory:``), opened on first use."""

    def __init__(self, path: str | Path) -> None:
        self._file = SqliteFile(path)

    def tips(self) -> dict[str, str]:
        """The refs that were brought in and where they stood."""
        return dict(self._file.all("SELECT ref, tip FROM tips"))

    def adding(self) -> AbstractContextManager[None]:
        """Alone among processes, all or nothing."""
        return self._file.transaction()

    def add(self, batch: Batch) -> None:
        """Bring in one batch; one that is there already changes nothing."""
        said = batch.manifest
        inside = max((each.clock.lamport for each in batch.statements), default=0)
        added = self._file.open().execute(
            "INSERT INTO batches"
            " (id, writer, epoch, number, previous, sequence, ends_at, lamport, inside, sound, holds)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (
                batch.commit,
                said.writer,
                said.epoch,
                _bounded(said.number),
                said.previous,
                _bounded(said.sequence),
                _bounded(batch.ends_at),
                _bounded(said.lamport),
                _bounded(inside),
                batch.sound,
                None if batch.sound else 1,
            ),
        )
        if not added.rowcount or added.lastrowid is None:
            return
        for alarm in batch.alarms:
            self.add_alarm(alarm)
        for statement in batch.statements:
            self._add_statement(batch, added.lastrowid, statement)
        self._add_facts(added.lastrowid, batch.facts)

    def _add_statement(self, batch: Batch, place: int, each: Stated) -> None:
        """Of several copies the sound one counts, then the one in its own writer's chain, then the first by name."""
        own = each.writer == batch.manifest.writer
        rank = f"{not each.sound:d}{not own:d}{batch.manifest.writer}{each.sequence:016d}{batch.commit}"
        self._file.open().execute(
            _INSERT_STATEMENT,
            (
                each.id,
                rank,
                place,
                each.type,
                each.task,
                each.at,
                each.writer,
                _bounded(each.clock.lamport),
                _bounded(each.sequence),
                encode(sorted(each.clock.seen.values())),
                each.body,
                each.envelope,
                each.public,
                each.people,
                each.sound,
                None,
            ),
        )

    def _add_facts(self, place: int, facts: Sequence[Fact]) -> None:
        self._file.open().executemany(
            "INSERT INTO facts (id, batch, line, task, kind, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET batch=excluded.batch, line=excluded.line, task=excluded.task,"
            " kind=excluded.kind, at=excluded.at, data=excluded.data WHERE"
            " (SELECT (new.lamport, new.writer, new.number, new.id) < (old.lamport, old.writer, old.number, old.id)"
            " FROM batches new, batches old WHERE new.place = excluded.batch AND old.place = facts.batch)",
            (
                (
                    _key(fact.id),
                    place,
                    line,
                    fact.task,
                    fact.kind,
                    fact.at,
                    encode(fact.data),
                )
                for line, fact in enumerate(facts)
            ),
        )

    def add_alarm(self, alarm: Alarm) -> None:
        """Keep what does not verify."""
        self._file.open().execute(
            "INSERT INTO alarms VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (alarm.commit, alarm.code, alarm.text, alarm.ref, encode(alarm.statements)),
        )

    def links(self) -> list[Link]:
        """The batches whose place is not settled."""
        found = self._file.all(
            "SELECT id, writer, previous, lamport, inside, number, sequence FROM batches WHERE holds IS NULL"
        )
        return [Link(*row) for row in found]

    def clocks(self) -> list[Ticked]:
        """The statements whose clock is not settled."""
        found = self._file.all(
            "SELECT s.id, b.id, s.lamport, s.seen FROM statements s JOIN batches b ON b.place = s.batch"
            " WHERE s.holds IS NULL"
        )
        return [Ticked(id_, commit, lamport, decode(seen)) for id_, commit, lamport, seen in found]

    def settle_link(self, link: Link, *, holds: bool) -> None:
        """Say whether a batch's place in its chain and its clock hold."""
        self._file.open().execute("UPDATE batches SET holds = ? WHERE id = ?", (holds, link.commit))

    def settle_clock(self, clock: Ticked, *, holds: bool) -> None:
        """Say whether a statement's clock holds."""
        self._file.open().execute("UPDATE statements SET holds = ? WHERE id = ?", (holds, clock.id))

    def set_tips(self, tips: dict[str, str]) -> None:
        """Remember what was brought in."""
        connection = self._file.open()
        connection.execute("DELETE FROM tips")
        connection.executemany("INSERT INTO tips VALUES (?, ?)", tips.items())

    def heads(self, commits: Sequence[str]) -> dict[str, Head]:
        """Those of the commits that are batches here and sound."""
        found = self._file.all(
            "SELECT id, writer, epoch, lamport, number, ends_at FROM batches"
            " WHERE sound AND id IN (SELECT value FROM json_each(?))",
            encode(list(commits)).decode(),
        )
        return {commit: Head(*rest) for commit, *rest in found}

    def leads_back(self, commit: str, to: str) -> bool:
        """Whether the chain of ``commit`` goes through ``to``."""
        found = self._file.all(
            "WITH RECURSIVE chain (id, previous) AS (SELECT id, previous FROM batches WHERE id = ? UNION"
            " SELECT b.id, b.previous FROM chain JOIN batches b ON b.id = chain.previous)"
            " SELECT 1 FROM chain WHERE id = ? LIMIT 1",
            commit,
            to,
        )
        return bool(found)

    def forks(self) -> list[tuple[str, int, list[str]]]:
        """(writer, number, commits) wherever one writer signed several batches of one number."""
        found = self._file.all(
            "SELECT writer, number, json_group_array(id) FROM batches WHERE sound GROUP BY writer, number"
            " HAVING count(*) > 1 ORDER BY writer, number"
        )
        return [(writer, number, sorted(decode(ids))) for writer, number, ids in found]

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
        where, values = _where({"s.task": task, "s.type": type}, "s.task", tasks)
        if without:
            where, values = [*where, "s.type <> ?"], [*values, without]
        if prefix:
            where, values = [*where, "s.id >= ? AND s.id < ?"], [*values, prefix, prefix + "g"]
        with self._file.guarded():
            found = self._file.open().execute(_STATEMENTS + _clause(where), values)
            rows = [Row(*row[:8], *map(bool, row[8:])) for row in found]
        rows.sort(key=_place)  # here, as SQLite would sort the bodies along
        return rows

    def envelope(self, statement: str) -> bytes | None:
        """A statement's envelope."""
        found = self._file.all("SELECT envelope FROM statements WHERE id = ?", statement)
        return found[0][0] if found else None

    def public(self, statement: str) -> str:
        """The key that a statement was checked with; "" where it is not here."""
        found = self._file.all("SELECT public FROM statements WHERE id = ?", statement)
        return str(found[0][0]) if found else ""

    def chain(self, writer: str) -> Iterator[Journalled | Fact]:
        """What a writer's sound batches hold."""
        for id_, public, envelope in self._file.all(
            "SELECT s.id, s.public, s.envelope FROM statements s JOIN batches b ON b.place = s.batch"
            " WHERE b.writer = ? AND s.sound ORDER BY s.sequence",
            writer,
        ):
            yield Journalled(statement=id_, public=public, envelope=Raw(envelope))
        yield from (fact for fact in self.facts() if fact.writer == writer)

    def facts(
        self, *, task: str | None = None, kind: str | None = None, tasks: Sequence[str] | None = None
    ) -> Iterator[Fact]:
        """The facts in the order of their batches."""
        where, values = _where({"f.task": task, "f.kind": kind}, "f.task", tasks)
        with self._file.guarded():
            found = self._file.open().execute(_FACTS + _clause(where) + _BY_BATCH, values)
            for id_, fact_kind, at, fact_task, data, writer in found:
                name = id_.hex() if isinstance(id_, bytes) else id_
                yield Fact(id=name, kind=fact_kind, at=at, task=fact_task, data=decode(data), writer=writer)

    def knows_facts(self, ids: Sequence[str]) -> set[str]:
        """Those of the fact ids that are here."""
        return {each for each in ids if self._file.all("SELECT 1 FROM facts WHERE id = ?", _key(each))}

    def kept(self, without: str) -> dict[str, bytes | None]:
        """Every task that has a statement of another type than ``without``, with what is kept of it."""
        found = self._file.all(
            "SELECT t.task, k.told FROM (SELECT DISTINCT task FROM statements WHERE task IS NOT NULL AND type <> ?) t"
            " LEFT JOIN kept k ON k.task = t.task",
            without,
        )
        return {task: told if isinstance(told, bytes) else None for task, told in found}

    def claim(self, tasks: Sequence[str]) -> str:
        """Say that something will be kept of these tasks; what changes from now on takes that back."""
        name = os.urandom(16).hex()
        self._file.attempt("INSERT OR REPLACE INTO kept VALUES (?, ?, NULL)", [(task, name) for task in tasks])
        return name

    def keep(self, claim: str, told: dict[str, bytes]) -> None:
        """Keep this of each task whose records are as they were when it was claimed."""
        rows = [(each, task, claim) for task, each in told.items()]
        self._file.attempt("UPDATE kept SET told = ? WHERE task = ? AND claim = ?", rows)

    def alarms(self) -> list[Alarm]:
        """What was kept by :meth:`add_alarm`, and the clocks and links that do not hold."""
        kept = self._file.all("SELECT code, text, ref, id, statements FROM alarms ORDER BY id, code, text")
        found = [Alarm(code, text, ref, id_, tuple(decode(named))) for code, text, ref, id_, named in kept]
        for id_, writer, number in self._file.all(
            "SELECT id, writer, number FROM batches WHERE holds = 0 AND sound ORDER BY id"
        ):
            text = f"batch {number} of writer {writer[:8]} does not follow from the one before it"
            inside = "SELECT s.id FROM statements s JOIN batches b ON b.place = s.batch WHERE b.id = ? ORDER BY s.id"
            named = tuple(name for (name,) in self._file.all(inside, id_))
            found.append(Alarm("chain", text, commit=id_, statements=named))
        for id_, commit in self._file.all(
            "SELECT s.id, b.id FROM statements s JOIN batches b ON b.place = s.batch WHERE s.holds = 0 ORDER BY s.id"
        ):
            found.append(
                Alarm("clock", f"the clock of statement {id_[:12]} does not follow", commit=commit, statements=(id_,))
            )
        return found

    def forget(self) -> None:
        """Begin anew, empty."""
        self._file.discard()

    def close(self) -> None:
        """Let go."""
        self._file.close()


def _place(row: Row) -> tuple[int, str, int, str]:
    return row.lamport, row.writer, row.sequence, row.id


def _bounded(number: int) -> int:
    """A number as a signed 64-bit column can hold it; what is out of range is not sound anyway."""
    return min(max(number, -1), 2**62)


def _key(fact: str) -> bytes | str:
    """A fact's id as 16 bytes; as text where it is no 32 hex digits."""
    try:
        raw = bytes.fromhex(fact)
    except ValueError:
        return fact
    return raw if raw.hex() == fact else fact


def _where(columns: dict[str, str | None], column: str, among: Sequence[str] | None) -> tuple[list[str], list[str]]:
    chosen = {name: value for name, value in columns.items() if value is not None}
    where, values = [f"{name} = ?" for name in chosen], list(chosen.values())
    if among is None:
        return where, values
    one_of = f"{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 -- a column's name
    return [*where, one_of], [*values, encode(list(among)).decode()]


def _clause(where: list[str]) -> str:
    return f" WHERE {' AND '.join(where)}" if where else ""
