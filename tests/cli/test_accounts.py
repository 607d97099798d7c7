"""What is kept of each task for the numbers is what its records say, whatever arrives and whoever edits it."""

from __future__ import annotations

import hashlib
import os
import random
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.cli import accounts as kept
from passdown.cli.context import Context
from passdown.cli.histories import seen, touches
from passdown.ledger.batch import Manifest
from passdown.ledger.check import Batch, Stated
from passdown.ledger.fact import Fact
from passdown.ledger.statement import Clock
from passdown.ledger.writer import ensure_writer
from passdown.model.event import TYPES, Record
from passdown.rules.measures.account import Account
from passdown.rules.measures.account import accounts as counted
from passdown.rules.measures.believed import believed
from passdown.rules.measures.trail import Touch, trails
from passdown.store.sqlite import SqliteProjection
from support.bench import histories
from support.ledgers import AT, held_ref, note, opened, say
from support.repo import Repo

history = histories.history


class Index:
    """The index of a repository into which batches come as they would from clones: this one's, and another's."""

    def __init__(self, repo: Repo) -> None:
        self.home = repo.home
        self.home.mkdir()
        self.mine = ensure_writer(self.home).id
        (self.home / "salt").write_bytes(b"s" * 32)
        self._file = SqliteProjection(self.home / "index.db")
        self._number = 0

    def bring(self, *events: Record | Touch, sound: bool = True, theirs: bool = False) -> None:
        """One batch; of one that is not sound nothing is trusted."""
        self._number += 1
        records = [each for each in events if isinstance(each, Record)]
        writer = "eve" if theirs else self.mine
        said = Manifest(
            writer=writer, public="", epoch="e", number=self._number, previous=None, sequence=1, lamport=1, at=AT,
            statements=[], facts="", fact_count=0, segments={},
        )  # fmt: skip
        facts = [
            Fact(
                id=each.id[:32], kind="touch", at=each.at, task=each.task, data={"path": each.path, "where": each.where}
            )
            for each in events
            if isinstance(each, Touch)
        ]
        stated = [self._stated(record, sound=sound) for record in records]
        with self._file.adding():
            self._file.add(Batch(f"{self._number:040x}", said, sound=sound, statements=stated, facts=facts))

    def _stated(self, record: Record, *, sound: bool) -> Stated:
        return Stated(
            id=record.id, type=TYPES[type(record.body)], task=record.task, at=record.at,
            writer="eve" if record.writer == "w-eve" else self.mine, sequence=record.order[2],
            clock=Clock(lamport=record.order[0]), body=msgspec.json.encode(record.body), envelope=b"", public="",
            people=False, sound=sound,
        )  # fmt: skip

    def settle(self, *, holds: bool) -> None:
        """Say of a batch that waits for it whether it follows from the one before."""
        for link in self._file.links()[:1]:
            with self._file.adding():
                self._file.settle_link(link, holds=holds)

    @contextmanager
    def by_hand(self) -> Iterator[sqlite3.Connection]:
        """The file as anybody can write it."""
        with sqlite3.connect(self.home / "index.db") as rows:
            yield rows
        rows.close()

    def kept(self) -> dict[str, bytes]:
        with self.by_hand() as rows:
            return dict(rows.execute("SELECT task, told FROM kept"))


@pytest.fixture
def index(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Index:
    monkeypatch.chdir(repo.root)
    return Index(repo)


def anew() -> dict[str, Account]:
    """Every task counted from the record as a whole, nothing kept."""
    context = Context(reads=True)
    records, mine = context.recorder.records(), context.recorder.writer
    counting = believed(records, context.trust)
    found = counted(trails(counting.records, touches(seen(context.recorder), mine, context.trust)))
    return speaking({**found, **{task: Account(task, apart=writer) for task, writer in counting.apart.items()}})


def told() -> dict[str, Account]:
    return speaking(kept.every(Context(reads=True)))


def speaking(found: dict[str, Account]) -> dict[str, Account]:
    """Without the tasks that bring nothing."""
    return {task: account for task, account in found.items() if account != Account(task)}


@pytest.fixture
def filled(index: Index) -> Index:
    made = history(12, 4)
    index.bring(*made.records, *made.touches)
    assert told() == anew()
    assert all(index.kept().values())
    return index


@given(data=st.data(), seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_kept_is_what_is_counted_whatever_arrives_between_two_looks(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, data: st.DataObject, seed: int
):
    if repo.home.exists():
        for path in repo.home.iterdir():
            path.unlink()
        repo.home.rmdir()
    monkeypatch.chdir(repo.root)
    index, dice, made = Index(repo), random.Random(seed), history(8, seed)
    events: list[Record | Touch] = [*made.records, *made.touches]
    events += dice.sample(events, len(events) // 2)
    dice.shuffle(events)
    while events:
        some = data.draw(st.integers(1, max(1, len(events) // 2)), label="events")
        index.bring(*events[:some], sound=dice.random() < 0.8, theirs=dice.random() < 0.2)
        events = events[some:]
        if dice.random() < 0.3:
            index.settle(holds=dice.random() < 0.5)
        if data.draw(st.booleans(), label="look"):
            assert told() == anew()
    assert told() == anew()
    assert told() == anew()  # of what is kept alone


def flip(told: bytes) -> bytes:
    return told[:-1] + bytes([told[-1] ^ 1])


def as_of_others(told: bytes) -> bytes:
    return b"\1" + told[1:]


def another_sum(told: bytes) -> bytes:
    return told[:1] + hashlib.blake2b(told[17:], digest_size=16).digest() + told[17:]


EDITS: list[Callable[[bytes], object]] = [
    flip, as_of_others, another_sum, lambda told: told[:-7], lambda told: told[:5], lambda _: b"", lambda _: None,
    lambda _: "text", lambda _: 7, lambda _: os.urandom(300), lambda told: told + b"\0",
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_a_row_that_somebody_changed_changes_nothing(filled: Index, edit: Callable[[bytes], object]):
    before, rows_before = told(), filled.kept()
    with filled.by_hand() as rows:
        rows.executemany(
            "UPDATE kept SET told = ? WHERE task = ?", [(edit(b), task) for task, b in rows_before.items()]
        )
    assert told() == before
    assert filled.kept() == rows_before  # and is as it was


def test_rows_of_other_tasks_change_nothing(filled: Index):
    before, rows_before = told(), filled.kept()
    moved = list(zip(list(rows_before.values())[1:], rows_before, strict=False))
    with filled.by_hand() as rows:
        rows.executemany("UPDATE kept SET told = ? WHERE task = ?", moved)
        rows.execute("INSERT INTO kept VALUES ('invented', '', ?)", moved[0][:1])
    assert told() == before


@pytest.mark.parametrize("name", ["salt", "writer.json"])
def test_rows_of_another_clone_are_counted_anew(filled: Index, name: str):
    """A copy of the folder has the index, and a key and a salt of its own."""
    rows_before = filled.kept()
    (filled.home / name).unlink()
    if name == "salt":
        (filled.home / name).write_bytes(b"t" * 32)
    assert told() == anew()
    assert all(filled.kept()[task] != row for task, row in rows_before.items())


def test_other_rules_count_anew(filled: Index, monkeypatch: pytest.MonkeyPatch):
    rows_before = filled.kept()
    monkeypatch.setattr(kept, "KEPT_AS", kept.KEPT_AS + 1)
    assert told() == anew()
    assert filled.kept() != rows_before


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE statements SET sound = 0 WHERE type = 'resumed'",
        "UPDATE statements SET at = '2026-11-29T00:00:00Z'",
        "UPDATE statements SET writer = 'eve' WHERE type = 'packet'",
        "UPDATE statements SET task = (SELECT max(task) FROM statements)",
        "DELETE FROM statements WHERE type = 'closed'",
        "UPDATE facts SET task = (SELECT max(task) FROM facts)",
        "DELETE FROM facts",
        "UPDATE batches SET sound = 0, writer = 'eve'",
        "UPDATE batches SET holds = 0",
        "DELETE FROM batches",
    ],
)
def test_a_record_that_somebody_edits_is_counted_as_it_is(filled: Index, edit: str):
    with filled.by_hand() as rows:
        rows.execute(edit)
    assert told() == anew()


def test_nothing_is_kept_of_what_changed_while_it_was_read(repo: Repo):
    say(repo.home, "one")
    with opened(repo.home) as ledger:
        claim, late = ledger.claim(["t"]), ledger.claim(["other"])
        say(repo.home, "two")
        ledger.keep(claim, {"t": b"of one"})
        ledger.keep(late, {"other": b"kept"})
        assert ledger.kept() == ({"t": None}, set())
        again = ledger.claim(["t"])
        ledger.keep(claim, {"t": b"of one"})
        assert ledger.kept() == ({"t": None}, set())
        ledger.keep(again, {"t": b"of two"})
        assert ledger.kept() == ({"t": b"of two"}, set())


def test_what_waits_in_the_journal_is_counted_and_not_kept(repo: Repo):
    say(repo.home, "one")
    with opened(repo.home) as ledger:
        ledger.keep(ledger.claim(["t"]), {"t": b"of one"})
        with held_ref(repo.home):
            ledger.append(note("two", "u"), task="u", at=AT)
            ledger.fact("touch", {"path": "a"}, task="t", at=AT)
            assert ledger.kept() == ({"t": b"of one", "u": None}, {"t", "u"})
        ledger.flush()
        assert ledger.kept() == ({"t": None, "u": None}, set())


def test_looking_does_not_wait_for_who_writes(filled: Index):
    with filled.by_hand() as rows:
        rows.execute("DELETE FROM kept")
    with filled.by_hand() as rows:
        rows.execute("BEGIN IMMEDIATE")
        assert told() == anew()
        rows.execute("ROLLBACK")
    assert filled.kept() == {}
    told()
    assert all(filled.kept().values())


def test_whom_this_clone_believes_is_asked_at_each_look(repo: Repo, scratch_home: Path):
    """Vouching for another clone, and taking that back, changes what its records count for, kept or not."""
    key = scratch_home / ".ssh/id_ed25519"
    key.parent.mkdir(exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    public = " ".join(Path(f"{key}.pub").read_text().split()[:2])
    repo.write("passdown.toml", f'[git]\nbase = "main"\n[review]\nsigners = ["@alice {public}"]\n').commit("Begin")
    mine, theirs = repo.clone("mine").branch("work"), repo.clone("theirs").branch("work")
    theirs.passdown("start", "make it pass").check()
    assert (apart(theirs, mine), apart(theirs, mine)) == (1, 1)
    theirs.passdown("attest", "--writer", "--because", "my laptop").check()
    assert (apart(theirs, mine), apart(theirs, mine)) == (0, 0)
    with opened(theirs.home) as ledger:
        writer = ledger.writer
    mine.passdown("attest", "--writer", writer[:8], "--withdraw", "--because", "lost").check()
    assert (apart(theirs, mine), apart(theirs, mine)) == (1, 1)


def apart(theirs: Repo, mine: Repo) -> int:
    """How many tasks of the other clone alone are told of, once all that it says is here."""
    theirs.passdown("sync").check()
    mine.passdown("sync").check()
    return mine.passdown("metrics", "--json").check().json()["tasks_of_others"]


def test_what_an_account_says_has_a_number():
    """Where this changes, ``KEPT_AS`` goes up: what was kept by other rules counts no more."""
    made = history(60, 7)
    found = counted(trails(made.records, made.touches))
    digest = hashlib.sha256(msgspec.msgpack.encode(found)).hexdigest()[:16]
    assert (kept.KEPT_AS, digest) == (1, "b64f36ee0bf9cc1f")
