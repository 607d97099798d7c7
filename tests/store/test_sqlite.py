"""The file: deleted, damaged, of another version, in use; the answers stay the same."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from passdown.store import schema
from support.ledgers import AT, opened, rebuild, say, texts

TESTS = str(Path(__file__).parents[1])


def index(home: Path) -> Path:
    return home / "index.db"


def delete(home: Path) -> None:
    rebuild(home)


def garbage(home: Path) -> None:
    index(home).write_bytes(os.urandom(8192))


def half(home: Path) -> None:
    os.truncate(index(home), index(home).stat().st_size // 2)


def empty(home: Path) -> None:
    index(home).write_bytes(b"")


def hole(home: Path) -> None:
    with index(home).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096 * 4)


def other_version(home: Path) -> None:
    with sqlite3.connect(index(home)) as connection:
        connection.execute("CREATE VIEW old AS SELECT 1")
        connection.execute("DROP TABLE facts")
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()


def missing_table(home: Path) -> None:
    with sqlite3.connect(index(home)) as connection:
        connection.execute("DROP TABLE statements")
    connection.close()


def emptied_tables(home: Path) -> None:
    with sqlite3.connect(index(home)) as connection:
        for name in schema.NAMES:
            connection.execute(f"DELETE FROM {name}")
    connection.close()


DAMAGES = [delete, garbage, half, empty, hole, other_version, missing_table, emptied_tables]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_index_is_rebuilt_with_the_same_answers(home: Path, damage: Callable[[Path], None]):
    say(home, *(f"n{n}" for n in range(40)))
    with opened(home) as ledger:
        for n in range(300):
            ledger.fact("touch", {"path": f"{n}"}, task="t", at=AT)
        ledger.flush()
        before = ledger.records(), list(ledger.facts())
    with sqlite3.connect(index(home)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    damage(home)
    with opened(home) as ledger:
        assert (ledger.records(), list(ledger.facts())) == before
        assert ledger.alarms() == []
    say(home, "after")
    assert texts(home)[-1] == "after"


def test_an_index_that_is_replaced_under_an_open_ledger(home: Path):
    say(home, "one")
    with opened(home) as ledger:
        assert len(ledger.records()) == 1
        rebuild(home)
        say(home, "two")
        assert [record.body.text for record in ledger.records()] == ["one", "two"]


READER = """
import sys
from pathlib import Path
from support.ledgers import texts
print(len(texts(Path(sys.argv[1]))))
"""


def test_many_processes_rebuild_at_once(home: Path):
    say(home, *(f"n{n}" for n in range(10)))
    for content in (None, b"garbage" * 2000):
        rebuild(home)
        if content:
            index(home).write_bytes(content)
        running = [
            subprocess.Popen(
                [sys.executable, "-c", READER, str(home)], cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for _ in range(5)
        ]
        assert [process.communicate() for process in running] == [(b"10\n", b"")] * 5
    assert len(texts(home)) == 10


@pytest.mark.parametrize("query", ["task", "type"])
def test_statements_are_found_by_an_index(home: Path, query: str):
    """However many there are, a task's are not searched for."""
    say(home, "one")
    with sqlite3.connect(index(home)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT * FROM statements s WHERE s.{query} = 'x'").fetchall()
    connection.close()
    assert "USING INDEX" in plan[0][3]
