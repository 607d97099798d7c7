"""Bad conditions: nothing acknowledged is lost, and what cannot be done is said in one line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from passdown.errors import PassdownError
from passdown.ledger import flush as flushing
from passdown.ledger.writer import known_writer
from support.ledgers import AT, held_ref, note, opened, own_ref, rebuild, say, store_git, texts

TESTS = str(Path(__file__).parents[1])

FULL = """
import json, os, resource, sys
from pathlib import Path
from support.ledgers import AT, note, opened
from passdown.errors import PassdownError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
with opened(Path(sys.argv[1])) as ledger:
    for n in range(3):
        try:
            ledger.fact("touch", {"path": "a"}, task="t", at=AT)
            name = ledger.append(note(f"{n} " + os.urandom(int(sys.argv[3])).hex()), task="t", at=AT)
            print(json.dumps({"id": name}), flush=True)
        except PassdownError as error:
            print(json.dumps({"error": error.message}), flush=True)
"""


@pytest.mark.parametrize("begun", [True, False], ids=["a ledger is there", "the first write"])
@pytest.mark.parametrize("size", [100, 20_000])
@pytest.mark.parametrize("room", [1, 500, 2_000, 6_000, 20_000, 60_000, 200_000])
def test_a_full_disk_loses_nothing_that_was_acknowledged(home: Path, room: int, size: int, begun: bool):
    """No file may grow beyond ``room``: each step of a write fails in some of these."""
    before = say(home, "before") if begun else []
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(home), str(room), str(size)], cwd=TESTS, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    acknowledged = [each["id"] for each in said if "id" in each]
    assert all("cannot write" in each["error"] for each in said if "error" in each)
    after = say(home, "after")
    for _ in range(2):
        with opened(home) as ledger:
            ids = [record.id for record in ledger.records() if record.trusted]
            assert set(before + acknowledged + after) <= set(ids)
            assert ledger.verify() == []
        rebuild(home)


READ_ONLY = """
import json, sys
from pathlib import Path
from support.ledgers import AT, note, opened
from passdown.errors import PassdownError
with opened(Path(sys.argv[1])) as ledger:
    said = {"texts": [record.body.text for record in ledger.records()]}
    for name, action in {
        "append": lambda: ledger.append(note("more"), task="t", at=AT),
        "fact": lambda: ledger.fact("touch", {}, task="t", at=AT),
    }.items():
        try:
            said[name] = action()
        except PassdownError as error:
            said[name] = error.message
    said["verify"] = [str(alarm) for alarm in ledger.verify()]
print(json.dumps(said))
"""


def run_read_only(folder: Path, *argv: str) -> subprocess.CompletedProcess[bytes]:
    """Run with ``folder`` read-only: by its mode, or by a mount of its own where the user is root."""
    if os.geteuid() == 0:
        script = f'mount --bind "{folder}" "{folder}" && mount -o remount,ro,bind "{folder}" && exec "$@"'
        return subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", *argv], cwd=TESTS, capture_output=True, check=False
        )
    for path in [folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        return subprocess.run(argv, cwd=TESTS, capture_output=True, check=False)
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize("waiting", [True, False])
def test_a_read_only_home_is_read_and_not_written(home: Path, indexed: bool, waiting: bool):
    say(home, "one")
    if waiting:
        with held_ref(home):
            say(home, "two")
    if not indexed:
        rebuild(home)
    done = run_read_only(home, sys.executable, "-c", READ_ONLY, str(home))
    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)
    assert said["texts"] == (["one", "two"] if waiting else ["one"])
    assert said["verify"] == []
    assert f"cannot write {home}: Read-only" in said["append"] or "Permission" in said["append"]
    assert f"cannot write {home}: Read-only" in said["fact"] or "Permission" in said["fact"]


def test_a_store_that_was_removed_is_made_again_with_what_the_index_holds(home: Path):
    say(home, "one", "two")
    with opened(home) as ledger:
        ledger.fact("denial", {"path": "a"}, task="t", at=AT)
        ledger.flush()
    before = known_writer(home)
    shutil.rmtree(home / "store.git")
    assert texts(home) == ["one", "two"]
    with opened(home) as ledger:
        assert {alarm.code for alarm in ledger.alarms()} == {"gone"}
        ledger.append(note("three"), task="t", at=AT)
        assert ledger.pending == ""
    assert known_writer(home) != before
    for _ in range(2):
        assert texts(home) == ["one", "two", "three"]
        with opened(home) as ledger:
            assert [each.kind for each in ledger.facts()] == ["denial"]
        rebuild(home)


def test_store_and_index_removed_leave_the_journal(home: Path):
    say(home, "one")
    with held_ref(home):
        say(home, "two")
    shutil.rmtree(home / "store.git")
    rebuild(home)
    assert texts(home) == ["two"]
    say(home, "three")
    assert sorted(texts(home)) == ["three", "two"]


def cut(path: Path) -> None:
    """Leave half of a file."""
    path.chmod(0o644)
    os.truncate(path, path.stat().st_size // 2)


def half_a_pack(home: Path) -> None:
    store_git(home, "repack", "-a", "-d", "-q")
    for path in (home / "store.git/objects/pack").glob("*.pack"):
        cut(path)


def no_packs(home: Path) -> None:
    store_git(home, "repack", "-a", "-d", "-q")
    shutil.rmtree(home / "store.git/objects/pack")


def half_an_object_each(home: Path) -> None:
    for path in (home / "store.git/objects").glob("??/*"):
        cut(path)


def damaged_tip(home: Path) -> None:
    tip = store_git(home, "rev-parse", own_ref(home))
    cut(home / "store.git/objects" / tip[:2] / tip[2:])


def damaged_first(home: Path) -> None:
    first = store_git(home, "rev-list", "--max-parents=0", own_ref(home))
    cut(home / "store.git/objects" / first[:2] / first[2:])


def emptied_ref(home: Path) -> None:
    (home / "store.git" / own_ref(home)).write_text("")


def garbage_ref(home: Path) -> None:
    (home / "store.git" / own_ref(home)).write_text("no commit\n")


DAMAGES = [half_a_pack, no_packs, half_an_object_each, damaged_tip, damaged_first, emptied_ref, garbage_ref]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_store_alarms_keeps_what_is_indexed_and_goes_on(home: Path, damage: Callable[[Path], None]):
    say(home, "one", "two", "three")
    damage(home)
    assert texts(home) == ["one", "two", "three"]
    with opened(home) as ledger:
        assert ledger.verify() != []
        ledger.append(note("four"), task="t", at=AT)
        assert ledger.records()[-1].body.text == "four"
    say(home, "five")
    assert texts(home) == ["one", "two", "three", "four", "five"]
    rebuild(home)
    assert texts(home)[-2:] == ["four", "five"]


@pytest.mark.parametrize("name", ["HEAD", "objects", "config"])
def test_a_store_that_is_no_repository_any_more_is_said_so(home: Path, name: str):
    say(home, "one")
    path = home / "store.git" / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    try:
        say(home, "two")
    except PassdownError as error:
        assert str(home / "store.git") in error.message  # noqa: PT017 - git may live with this
        assert "move it away" in error.hint  # noqa: PT017 - same
        shutil.rmtree(home / "store.git")
        say(home, "two")
    assert texts(home) == ["one", "two"]


def test_a_lock_that_a_dead_git_left_is_removed(home: Path):
    say(home, "one")
    lock = home / "store.git" / f"{own_ref(home)}.lock"
    lock.touch()
    os.utime(lock, (time.time() + 3600, time.time() + 3600))  # however long it takes, it is young
    say(home, "two")
    assert lock.exists()  # it may belong to a living git
    os.utime(lock, (time.time() - 60, time.time() - 60))
    with opened(home) as ledger:
        ledger.append(note("three"), task="t", at=AT)
        assert ledger.pending == ""
    assert texts(home) == ["one", "two", "three"]


def test_a_flush_that_dies_after_its_commit_does_not_commit_twice(home: Path, monkeypatch: pytest.MonkeyPatch):
    say(home, "one")

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(flushing, "_remember", die)
        say(home, "two")
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    say(home, "three")
    rebuild(home)
    assert texts(home) == ["one", "two", "three"]
    log = store_git(home, "log", "--format=", "--name-only", "--diff-filter=A", own_ref(home)).split()
    assert len([path for path in log if path.startswith("statements/")]) == 3
    with opened(home) as ledger:
        assert ledger.verify() == []


def test_a_git_that_outlives_its_parent_is_built_upon(home: Path, monkeypatch: pytest.MonkeyPatch):
    """Our ref moves between our look and our commit; the second look finds it."""
    say(home, "one")
    real = flushing._fast_import
    late = []

    def slow(store: Path, ref: str, raw: object, at: str) -> str:
        if not late:
            late.append(True)
            real(store, ref, raw, at)  # the orphan's commit, unseen by us
        return real(store, ref, raw, at)

    monkeypatch.setattr(flushing, "_fast_import", slow)
    with opened(home) as ledger:
        ledger.append(note("two"), task="t", at=AT)
        assert ledger.pending == ""
        assert ledger.verify() == []
    rebuild(home)
    assert texts(home) == ["one", "two"]


def test_thousands_of_objects_are_packed_and_leftovers_go(home: Path, monkeypatch: pytest.MonkeyPatch):
    """H5."""
    say(home, "one")
    left = [
        home / "store.git/objects/pack/tmp_pack_x",
        home / f"tips.{'0' * 16}",
        home / "store.git/fast_import_crash_1",
    ]
    young = home / "store.git/objects/pack/tmp_pack_young"
    for path in [*left, young]:
        path.touch()
        os.utime(path, (1, 1))
    os.utime(young)
    monkeypatch.setattr("passdown.ledger.tidy._LOOSE", 0)
    say(home, "two")
    assert [path for path in left if path.exists()] == []
    assert young.exists()
    assert "packs: 1" in store_git(home, "count-objects", "-v")
    assert texts(home) == ["one", "two"]
    with opened(home) as ledger:
        assert ledger.verify() == []
