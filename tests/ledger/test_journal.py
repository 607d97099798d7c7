from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.ledger import journal
from passdown.ledger.journal import Segment
from support.ledgers import AT, opened, say


def fact(number: int, **data: str) -> bytes:
    return json.dumps({"id": f"{number:032x}", "kind": "touch", "at": AT, "task": "t", "data": data}).encode()


def read(path: Path, content: bytes) -> journal.Part:
    path.write_bytes(content)
    return journal.read(Segment(path, "s", 0, done=False), 0, 10_000)


RECORDS = [fact(n, path="ä" * n) for n in range(4)]
WHOLE = b"".join(b"\n" + record + b"\n" for record in RECORDS)


@given(cut=st.integers(0, len(WHOLE)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_prefix_yields_only_whole_records(tmp_path: Path, cut: int):
    part = read(tmp_path / "s", WHOLE[:cut])
    assert part.facts == RECORDS[: len(part.facts)]
    assert part.torn <= 1
    assert len(WHOLE[:cut].split(b"\n")) // 2 >= len(part.facts)


@given(garbage=st.lists(st.binary(max_size=40), max_size=4), cut=st.integers(0, len(RECORDS[0])))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_what_follows_a_torn_record_or_garbage_is_read(tmp_path: Path, garbage: list[bytes], cut: int):
    torn = b"\n" + RECORDS[0][:cut] + b"".join(b"\n" + each for each in garbage)
    part = read(tmp_path / "s", torn + b"\n" + fact(77) + b"\n")
    assert part.facts[-1] == fact(77)


def test_what_is_skipped_is_counted(tmp_path: Path):
    part = read(tmp_path / "s", b'\n{"id":\n\n{"statement": 1}\n\n[]\n' + b"\n" + fact(1) + b"\n")
    assert (part.torn, part.facts) == (3, [fact(1)])


def test_a_segment_is_read_in_steps(tmp_path: Path):
    path = tmp_path / "s"
    path.write_bytes(WHOLE)
    segment, end, found = Segment(path, "s", 0, done=False), 0, []
    while True:
        part = journal.read(segment, end, 1)
        if not part.facts:
            break
        found, end = found + part.facts, part.end
    assert found == RECORDS


def test_what_comes_late_to_a_committed_segment_is_committed_with_the_next(home: Path):
    """A writer without the lock (another machine's lock over a network folder) is not lost."""
    say(home, "one")
    (done,) = (home / "journal").glob("*.done")
    with done.open("ab") as file:
        file.write(b"\n" + fact(5) + b"\n")
    with opened(home) as ledger:
        assert [each.id for each in ledger.facts()] == [f"{5:032x}"]
        ledger.flush()
        assert [each.id for each in ledger.facts() if each.writer] == [f"{5:032x}"]
    say(home, "two")
    assert done.name.split(".")[0] not in {path.name.split(".")[0] for path in (home / "journal").iterdir()}


WRITER = """
import json, sys
from pathlib import Path
from passdown.ledger import journal
for n in range(int(sys.argv[2]), int(sys.argv[2]) + 3000):
    record = {"id": f"{n:032x}", "kind": "touch", "at": "2026-11-30T10:00:00Z", "data": {"n": n}}
    journal.write(Path(sys.argv[1]), json.dumps(record).encode(), sync=False)
"""


def test_no_fact_is_lost_while_the_journal_is_committed(home: Path):
    """G9: three writers and a committer at once."""
    say(home, "one")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(home), str(n * 100_000)]) for n in range(3)]
    with opened(home) as ledger:
        while any(writer.poll() is None for writer in writers):
            ledger.flush()
        ledger.flush()
        ids = [each.id for each in ledger.facts()]
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert sorted(ids) == sorted(f"{n * 100_000 + k:032x}" for n in range(3) for k in range(3000))


def test_a_write_that_does_not_fit_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The kernel may write a part; then nobody is told that the record is kept."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:-3]))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        journal.write(tmp_path, fact(1), sync=True)
    monkeypatch.undo()
    journal.write(tmp_path, fact(2), sync=True)
    journal.rotate(tmp_path)
    (segment,) = journal.segments(tmp_path)
    assert journal.read(segment, 0, 9).facts[-1] == fact(2)


READER = """
import sys
from pathlib import Path
from passdown.ledger import journal
for _ in range(3000):
    journal.pending(Path(sys.argv[1]), statements=True)
    journal.segments(Path(sys.argv[1]))
"""


def test_segments_that_go_while_they_are_listed(tmp_path: Path):
    """A reader beside a flush: what it listed is committed and removed meanwhile."""
    journal.write(tmp_path, b"{}", sync=False)
    reader = subprocess.Popen([sys.executable, "-c", READER, str(tmp_path)], stderr=subprocess.PIPE)
    place = journal.folder(tmp_path)
    while reader.poll() is None:
        for number in range(20):
            (place / f"{number:016x}.9.done").touch()
        for number in range(20):
            (place / f"{number:016x}.9.done").unlink()
    assert reader.communicate() == (None, b"")
