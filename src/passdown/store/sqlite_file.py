"""The file of the index: opened on first use, made anew where it is damaged, in memory where it cannot be written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import finalize

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.ledger.locks import exclusive
from passdown.ledger.projection import Lost
from passdown.store import schema

MEMORY = ":memory:"
_BUSY_SECONDS = 60.0
_SOON_MILLISECONDS = 200
_NOT_WRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_PERM,
}


class SqliteFile:
    """A connection to ``path`` (a file, or ``:memory:``) with the tables of this version."""

    def __init__(self, path: str | Path) -> None:
        self._path = str(path)
        self._connection: sqlite3.Connection | None = None
        self._provisional = False
        self._close: Callable[[], object] | None = None

    def open(self) -> sqlite3.Connection:
        """The connection."""
        if self._connection is None or (self._provisional and self._folder_is_here()):
            self.close()
            self._provisional = not self._folder_is_here()
            path = MEMORY if self._provisional else self._path
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._connection = connection
            self._close = closing = finalize(self, connection.close)
            closing.atexit = False  # a command that ends leaves the log as one that is killed does: no sync to wait for
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            if _version(connection) != schema.VERSION:
                _create(connection)
        return self._connection

    def _folder_is_here(self) -> bool:
        """Reading a repository that never had Passdown creates nothing: the index stays in memory until a write."""
        return self._path == MEMORY or Path(self._path).parent.is_dir()

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What SQLite cannot do means a rebuild: of a damaged file, or in memory where no file can be written."""
        before = _inode(self._path)
        try:
            yield
        except sqlite3.Error as error:
            if not hasattr(error, "sqlite_errorcode"):  # a mistake of ours, not the file's
                raise
            code = error.sqlite_errorcode & 0xFF
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

    def close(self) -> None:
        """Let go."""
        if self._close is not None:
            self._close()
        self._connection = self._close = None

    def discard(self) -> None:
        """Remove the file; the next use makes it anew."""
        before = _inode(self._path)
        self.close()
        if self._path != MEMORY:
            _remove(Path(self._path), before)

    def all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Every row of an answer."""
        with self.guarded():
            return self.open().execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Alone among processes, all or nothing."""
        with self.guarded():
            connection = self.open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT")
            finally:
                if self._connection is connection and connection.in_transaction:
                    connection.execute("ROLLBACK")

    def attempt(self, query: str, rows: Iterable[Sequence[object]]) -> None:
        """Write what no answer needs: all or nothing, and nothing where others write or it cannot be written."""
        with suppress(sqlite3.Error):
            connection = self.open()
            connection.execute(f"PRAGMA busy_timeout = {_SOON_MILLISECONDS}")
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(query, rows)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000:.0f}")


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
        for command in schema.TABLES.split(";\n"):
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
