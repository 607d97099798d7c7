from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from passdown.ledger.writer import ensure_writer, known_writer
from support.ledgers import held_ref, opened, rebuild, say, store_git, texts
from support.repo import Repo


def test_the_key_is_made_once_and_only_its_owner_can_read_it(home: Path):
    home.mkdir()
    first = ensure_writer(home)
    assert ensure_writer(home) == first
    assert (home / "writer.json").stat().st_mode & 0o777 == 0o600
    assert first.id == hashlib.sha256(base64.b64decode(first.public)).hexdigest()[:32]


def test_two_processes_that_make_the_first_key_agree(home: Path):
    home.mkdir()
    code = "import sys; from pathlib import Path; from passdown.ledger.writer import ensure_writer\n"
    code += "print(ensure_writer(Path(sys.argv[1])).id)"
    running = [subprocess.Popen([sys.executable, "-c", code, str(home)], stdout=subprocess.PIPE) for _ in range(4)]
    assert len({process.communicate()[0] for process in running}) == 1


def test_a_copied_folder_is_a_new_writer_and_reads_on(repo: Repo, home: Path, tmp_path: Path):
    say(home, "before")
    copy = tmp_path / "copy"
    shutil.copytree(repo.root, copy)
    there = copy / ".git/passdown"
    assert known_writer(there) is None
    say(there, "in the copy")
    assert known_writer(there) not in {None, known_writer(home)}
    assert texts(there) == ["before", "in the copy"]
    with opened(there) as ledger:
        assert [record.here for record in ledger.records()] == [False, True]
        assert ledger.verify() == []


def test_what_was_only_journalled_in_a_copied_folder_keeps_its_id(repo: Repo, home: Path, tmp_path: Path):
    """The copy commits it under the signature of the writer that made it, and both copies count once."""
    say(home, "first")
    with held_ref(home):
        (waiting,) = say(home, "waiting")
    copy = tmp_path / "copy"
    shutil.copytree(repo.root, copy)
    there = copy / ".git/passdown"
    (later,) = say(there, "in the copy")
    rebuild(there)
    with opened(there) as ledger:
        assert {record.id: record.writer for record in ledger.records(type="note")}[waiting] == known_writer(home)
        assert all(record.trusted for record in ledger.records())
        assert ledger.verify() == []
    say(home, "goes on")
    store_git(there, "fetch", "-q", str(home / "store.git"), "refs/passdown/log/*:refs/passdown-remote/o/log/*")
    assert sorted(texts(there)) == ["first", "goes on", "in the copy", "waiting"]
    with opened(there) as ledger:
        assert ledger.record(later).here
        assert ledger.verify() == []


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff", b'{"writer": "x"}', None])
def test_a_damaged_key_file_is_a_new_writer(home: Path, damage: bytes | None):
    say(home, "before")
    path = home / "writer.json"
    path.write_bytes(path.read_bytes().replace(b'"private":"', b'"private":"!') if damage is None else damage)
    say(home, "after")
    assert texts(home) == ["before", "after"]
