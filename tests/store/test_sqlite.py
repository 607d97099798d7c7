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


def edit_a_body(rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE statements SET body = replace(CAST(body AS TEXT), 'n1', 'N1')")


def edit_an_envelope(rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE statements SET envelope = CAST('{}' AS BLOB)")


def edit_a_task(rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE statements SET task = 'other'")


def change_the_writer(rows: sqlite3.Connection) -> None:
    rows.execute("UPDATE statements SET writer = 'f' || substr(writer, 2)")


def drop_one(rows: sqlite3.Connection) -> None:
    rows.execute("DELETE FROM statements WHERE rowid IN (SELECT rowid FROM statements LIMIT 1)")


def add_one(rows: sqlite3.Connection) -> None:
    rows.execute("CREATE TEMP TABLE copy AS SELECT * FROM statements LIMIT 1")
    rows.execute("UPDATE copy SET id = substr(id, 2) || 'f'")
    rows.execute("INSERT INTO statements SELECT * FROM copy")


def edit_a_fact(rows: sqlite3.Connection) -> None:
    rows.execute('UPDATE facts SET data = CAST(\'{"path":"b"}\' AS BLOB)')


def drop_the_facts(rows: sqlite3.Connection) -> None:
    rows.execute("DELETE FROM facts")


EDITS = [edit_a_body, edit_an_envelope, edit_a_task, change_the_writer, drop_one, add_one, edit_a_fact, drop_the_facts]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_index_that_was_edited_by_hand_is_told_and_made_anew(home: Path, edit: Callable[[sqlite3.Connection], None]):
    """It is a projection: what somebody writes into it counts until the record is verified, not for good."""
    say(home, "n0", "n1")
    with opened(home) as ledger:
        ledger.fact("touch", {"path": "a"}, task="t", at=AT)
        ledger.flush()
        before = ledger.records(), list(ledger.facts())
        assert ledger.verify() == []
    with sqlite3.connect(index(home)) as connection:
        edit(connection)
    connection.close()
    with opened(home) as ledger:
        assert [alarm.code for alarm in ledger.verify()] == ["index"]
        assert (ledger.records(), list(ledger.facts())) == before
        assert ledger.verify() == []
