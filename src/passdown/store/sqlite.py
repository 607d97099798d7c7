"""The index as a SQLite file beside the store, or in memory where that file cannot be written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import finalize

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.ledger.alarm import Alarm
from passdown.ledger.check import Batch, Stated
from passdown.ledger.fact import Fact
from passdown.ledger.locks import exclusive
from passdown.ledger.projection import Head, Link, Lost, Row, Ticked
from passdown.store import schema

MEMORY = ":memory:"
_BUSY_SECONDS = 60.0


class SqliteProjection:
    """The index in ``path`` (a file, or ``:memory:``), opened on first use."""

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        self._connection: sqlite3.Connection | None = None
        self._provisional = False
        self._close: Callable[[], object] | None = None

    def tips(self) -> dict[str, str]:
        """The refs that were brought in and where they stood."""
        return dict(self._all("SELECT ref, tip FROM tips"))

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Alone among processes, all or nothing."""
        with self._guarded():
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
            finally:
                if self._connection is connection and connection.in_transaction:
                    connection.execute("ROLLBACK")

    def add(self, batch: Batch) -> None:
        """Bring in one batch; one that is there already changes nothing."""
        said = batch.manifest
        inside = max((each.clock.lamport for each in batch.statements), default=0)
        added = self._open().execute(
            "INSERT INTO batches (id, writer, epoch, number, previous, sequence, ends_at, lamport, inside, sound, holds)"
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
        self._open().execute(
            "INSERT INTO statements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
            " rank=excluded.rank, batch=excluded.batch, type=excluded.type, task=excluded.task, at=excluded.at,"
            " writer=excluded.writer, lamport=excluded.lamport, sequence=excluded.sequence, seen=excluded.seen,"
            " body=excluded.body, envelope=excluded.envelope, people=excluded.people, sound=excluded.sound,"
            " holds=excluded.holds WHERE excluded.rank < rank",
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
                json.dumps(sorted(each.clock.seen.values())),
                each.body,
                each.envelope,
                each.people,
                each.sound,
                None,
            ),
        )

    def _add_facts(self, place: int, facts: Sequence[Fact]) -> None:
        self._open().executemany(
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
                    json.dumps(fact.data, separators=(",", ":")),
                )
                for line, fact in enumerate(facts)
            ),
        )

    def add_alarm(self, alarm: Alarm) -> None:
        """Keep what does not verify."""
        self._open().execute(
            "INSERT INTO alarms VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (alarm.commit, alarm.code, alarm.text, alarm.ref, json.dumps(alarm.statements)),
        )

    def links(self) -> list[Link]:
        """The batches whose place is not settled."""
        found = self._all(
            "SELECT id, writer, previous, lamport, inside, number, sequence FROM batches WHERE holds IS NULL"
        )
        return [Link(*row) for row in found]

    def clocks(self) -> list[Ticked]:
        """The statements whose clock is not settled."""
        found = self._all(
            "SELECT s.id, b.id, s.lamport, s.seen FROM statements s JOIN batches b ON b.place = s.batch"
            " WHERE s.holds IS NULL"
        )
        return [Ticked(id_, commit, lamport, json.loads(seen)) for id_, commit, lamport, seen in found]

    def settle_link(self, link: Link, *, holds: bool) -> None:
        """Say whether a batch's place in its chain and its clock hold."""
        self._open().execute("UPDATE batches SET holds = ? WHERE id = ?", (holds, link.commit))

    def settle_clock(self, clock: Ticked, *, holds: bool) -> None:
        """Say whether a statement's clock holds."""
        self._open().execute("UPDATE statements SET holds = ? WHERE id = ?", (holds, clock.id))

    def set_tips(self, tips: dict[str, str]) -> None:
        """Remember what was brought in."""
        connection = self._open()
        connection.execute("DELETE FROM tips")
        connection.executemany("INSERT INTO tips VALUES (?, ?)", tips.items())

    def heads(self, commits: Sequence[str]) -> dict[str, Head]:
        """Those of the commits that are batches here and sound."""
        found = self._all(
            "SELECT id, writer, epoch, lamport, number, ends_at FROM batches"
            " WHERE sound AND id IN (SELECT value FROM json_each(?))",
            json.dumps(list(commits)),
        )
        return {commit: Head(*rest) for commit, *rest in found}

    def leads_back(self, commit: str, to: str) -> bool:
        """Whether the chain of ``commit`` goes through ``to``."""
        found = self._all(
            "WITH RECURSIVE chain (id, previous) AS (SELECT id, previous FROM batches WHERE id = ? UNION"
            " SELECT b.id, b.previous FROM chain JOIN batches b ON b.id = chain.previous)"
            " SELECT 1 FROM chain WHERE id = ? LIMIT 1",
            commit,
            to,
        )
        return bool(found)

    def forks(self) -> list[tuple[str, int, list[str]]]:
        """(writer, number, commits) wherever one writer signed several batches of one number."""
        found = self._all(
            "SELECT writer, number, json_group_array(id) FROM batches WHERE sound GROUP BY writer, number"
            " HAVING count(*) > 1 ORDER BY writer, number"
        )
        return [(writer, number, sorted(json.loads(ids))) for writer, number, ids in found]

    def rows(self, *, task: str | None = None, type: str | None = None, prefix: str = "") -> list[Row]:  # noqa: A002 - the word
        """The statements in their order."""
        where, values = _where({"s.task": task, "s.type": type})
        if prefix:
            where, values = [*where, "s.id >= ? AND s.id < ?"], [*values, prefix, prefix + "g"]
        found = self._all(
            "SELECT s.id, s.type, s.task, s.at, s.writer, s.lamport, s.sequence, s.body,"
            " s.sound AND ifnull(s.holds, 1) AND ifnull(b.holds, 1), s.holds IS NULL, s.people"
            f" FROM statements s JOIN batches b ON b.place = s.batch{_clause(where)}"  # noqa: S608 - names of columns
            " ORDER BY s.lamport, s.writer, s.sequence, s.id",
            *values,
        )
        return [Row(*row[:8], *(bool(each) for each in row[8:])) for row in found]

    def envelope(self, statement: str) -> bytes | None:
        """A statement's envelope."""
        found = self._all("SELECT envelope FROM statements WHERE id = ?", statement)
        return found[0][0] if found else None

    def facts(self, *, task: str | None = None, kind: str | None = None) -> Iterator[Fact]:
        """The facts in the order of their batches."""
        where, values = _where({"f.task": task, "f.kind": kind})
        with self._guarded():
            found = self._open().execute(
                "SELECT f.id, f.kind, f.at, f.task, f.data, b.writer FROM facts f JOIN batches b ON b.place = f.batch"
                f"{_clause(where)} ORDER BY b.lamport, b.writer, b.number, b.id, f.line",  # noqa: S608 - names of columns
                values,
            )
            for id_, fact_kind, at, fact_task, data, writer in found:
                name = id_.hex() if isinstance(id_, bytes) else id_
                yield Fact(id=name, kind=fact_kind, at=at, task=fact_task, data=json.loads(data), writer=writer)

    def knows_facts(self, ids: Sequence[str]) -> set[str]:
        """Those of the fact ids that are here."""
        return {each for each in ids if self._all("SELECT 1 FROM facts WHERE id = ?", _key(each))}

    def alarms(self) -> list[Alarm]:
        """What was kept by :meth:`add_alarm`, and the clocks and links that do not hold."""
        kept = self._all("SELECT code, text, ref, id, statements FROM alarms ORDER BY id, code, text")
        found = [Alarm(code, text, ref, id_, tuple(json.loads(named))) for code, text, ref, id_, named in kept]
        for (id_,) in self._all("SELECT id FROM batches WHERE holds = 0 AND sound ORDER BY id"):
            found.append(Alarm("chain", "a batch does not follow from the one before it", commit=id_))
        for id_, commit in self._all(
            "SELECT s.id, b.id FROM statements s JOIN batches b ON b.place = s.batch WHERE s.holds = 0 ORDER BY s.id"
        ):
            found.append(
                Alarm("clock", f"the clock of statement {id_[:12]} does not follow", commit=commit, statements=(id_,))
            )
        return found

    def close(self) -> None:
        """Let go."""
        if self._close is not None:
            self._close()
        self._connection = self._close = None

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._guarded():
            return self._open().execute(query, values).fetchall()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or (self._provisional and self._folder_is_here()):
            self.close()
            self._provisional = not self._folder_is_here()
            path = MEMORY if self._provisional else self._path
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._connection = connection
            self._close = finalize(self, connection.close)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if _version(connection) != schema.VERSION:
                _create(connection)
        return self._connection

    def _folder_is_here(self) -> bool:
        """Reading a repository that never had Passdown creates nothing: the index stays in memory until a write."""
        return self._path == MEMORY or Path(self._path).parent.is_dir()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn what SQLite cannot do into a rebuild: of the file where it is damaged, in memory where it is not writable."""
        before = _inode(self._path)
        try:
            yield
        except sqlite3.Error as error:
            code = (error.sqlite_errorcode or sqlite3.SQLITE_ERROR) & 0xFF
            if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} or self._path == MEMORY:
                raise PassdownError(
                    f"the index cannot be read: {error}", "try again in a moment", EXIT_UNDECIDED
                ) from error
            self.close()
            if code in _NOT_WRITABLE:
                self._path = MEMORY
            else:
                _remove(Path(self._path), before)
            raise Lost from error


_NOT_WRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_PERM,
}


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _create(connection: sqlite3.Connection) -> None:
    """Empty tables of this version, unless another process made them meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    if _version(connection) != schema.VERSION:
        for name, kind in connection.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        ).fetchall():
            connection.execute(f'DROP {kind} "{name}"')
        for command in schema.TABLES.split(";"):
            connection.execute(command)
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")
    connection.execute("COMMIT")


def _inode(path: str) -> int:
    try:
        return Path(path).stat().st_ino
    except OSError:
        return 0


def _remove(path: Path, inode: int) -> None:
    """Remove a damaged index, unless another process has put a new one there."""
    with exclusive(path.with_suffix(".lock")):
        if _inode(str(path)) == inode:
            for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
                path.with_name(name).unlink(missing_ok=True)


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


def _where(columns: dict[str, str | None]) -> tuple[list[str], list[str]]:
    chosen = {name: value for name, value in columns.items() if value is not None}
    return [f"{name} = ?" for name in chosen], list(chosen.values())


def _clause(where: list[str]) -> str:
    return f" WHERE {' AND '.join(where)}" if where else ""
