"""Projections of the ledger: delete and rebuild gives the same answers."""

from __future__ import annotations

from pathlib import Path

from passdown.ledger.ledger import Ledger
from passdown.store.sqlite import SqliteProjection
from passdown.store.sqlite_file import MEMORY


def open_ledger(home: Path, object_format: str = "sha1") -> Ledger:
    """The ledger of the clone whose Passdown folder is ``home``, read through its SQLite index; nothing is created."""
    return Ledger(home, object_format, SqliteProjection(home / "index.db"), lambda: SqliteProjection(MEMORY))
