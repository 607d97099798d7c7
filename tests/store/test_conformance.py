"""What every index must answer; a new store joins by adding itself to ``STORES``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.ledger import git_log, intake
from passdown.ledger.alarm import Alarm
from passdown.ledger.batch import RawBatch
from passdown.ledger.check import Batch, check
from passdown.ledger.projection import Projection
from passdown.store.sqlite import SqliteProjection
from passdown.store.sqlite_file import MEMORY
from support.ledgers import AT, note, opened, say

STORES: dict[str, Callable[[Path], Projection]] = {
    "file": lambda folder: SqliteProjection(folder / "index.db"),
    "memory": lambda _: SqliteProjection(MEMORY),
}


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def make(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Projection]]:
    made: list[Projection] = []

    def one() -> Projection:
        made.append(request.param(tmp_path_factory.mktemp("index")))
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.fixture
def batches(home: Path) -> list[Batch]:
    """Four batches with three statements and three facts: the first has facts alone."""
    with opened(home) as ledger:
        for kind in ("touch", "denial"):
            ledger.fact(kind, {"path": "a", "line": 1, "rule": None}, task="t", at=AT)
        ledger.flush()
        ledger.append(note("one"), task="t", at=AT)
        ledger.fact("touch", {"path": "ü"}, task=None, at=AT)
        ledger.append(note("two", "u"), task="u", at=AT)
    say(home, "three")
    store = home / "store.git"
    found = git_log.new_commits(store, list(git_log.tips(store).values()), [])
    checked = [check(raw) for raw in git_log.read_batches(store, found.commits)]
    return [each for each in checked if isinstance(each, Batch)]


def filled(index: Projection, batches: list[Batch]) -> Projection:
    with index.adding():
        for batch in batches:
            index.add(batch)
        intake.settle(index)
        index.set_tips({"refs/passdown/log/w/2026q4": batches[-1].commit})
    return index


def answers(index: Projection) -> object:
    return (
        index.rows(),
        list(index.facts()),
        index.alarms(),
        index.links(),
        index.clocks(),
        index.forks(),
        [index.envelope(row.id) for row in index.rows()],
    )


def test_an_empty_index_answers(make):
    index = make()
    assert answers(index) == ([], [], [], [], [], [], [])
    assert (index.tips(), index.heads(["c"]), index.knows_facts(["f"])) == ({}, {}, set())
    assert index.envelope("0" * 64) is None
    assert not index.leads_back("a", "b")


def test_statements_come_in_order_and_by_task_type_and_prefix(make, batches: list[Batch]):
    index = filled(make(), batches)
    rows = index.rows()
    assert [json.loads(row.body)["text"] for row in rows] == ["one", "two", "three"]
    assert all(row.trusted and not row.unchecked and not row.people for row in rows)
    assert [json.loads(row.body)["text"] for row in index.rows(task="t")] == ["one", "three"]
    assert index.rows(task="t", type="packet") == []
    assert index.rows(type="note") == rows
    assert index.rows(prefix=rows[0].id[:6]) == rows[:1]
    assert index.rows(prefix=rows[0].id) == rows[:1]


def test_facts_come_in_order_and_by_task_and_kind(make, batches: list[Batch]):
    index = filled(make(), batches)
    assert [(fact.kind, fact.task, fact.data) for fact in index.facts()] == [
        ("touch", "t", {"path": "a", "line": 1, "rule": None}),
        ("denial", "t", {"path": "a", "line": 1, "rule": None}),
        ("touch", None, {"path": "ü"}),
    ]
    assert [fact.kind for fact in index.facts(task="t", kind="denial")] == ["denial"]
    ids = [fact.id for fact in index.facts()]
    assert index.knows_facts([*ids, "0" * 32, "odd"]) == set(ids)


def test_heads_tips_and_chains(make, batches: list[Batch]):
    index = filled(make(), batches)
    commits = [batch.commit for batch in batches]
    heads = index.heads([*commits, "elsewhere"])
    assert [heads[commit].number for commit in commits] == [1, 2, 3, 4][: len(commits)]
    assert [heads[commit].lamport for commit in commits] == sorted(heads[commit].lamport for commit in commits)
    assert index.leads_back(commits[-1], commits[0])
    assert index.leads_back(commits[0], commits[0])
    assert not index.leads_back(commits[0], commits[-1])
    assert list(index.tips().values()) == [commits[-1]]


def test_a_batch_counts_once(make, batches: list[Batch]):
    index = filled(make(), batches)
    before = answers(index)
    filled(index, batches)
    assert answers(index) == before


def test_nothing_stays_of_what_was_not_finished(make, batches: list[Batch]):
    index = make()

    def interrupted() -> None:
        with index.adding():
            index.add(batches[0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert answers(index) == ([], [], [], [], [], [], [])
    filled(index, batches)
    assert len(index.rows()) == 3


@given(data=st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_answers_do_not_depend_on_the_order_of_arrival(make, batches: list[Batch], data: st.DataObject):
    index = make()
    arriving = data.draw(st.permutations(batches))
    for batch in arriving:
        with index.adding():
            index.add(batch)
            intake.settle(index)
    assert answers(index) == answers(filled(make(), batches))


@pytest.mark.parametrize("sound_first", [True, False])
def test_the_sound_copy_of_a_statement_counts(make, home: Path, batches: list[Batch], sound_first: bool):
    """A forged commit with the statement of another does not displace it."""
    store = home / "store.git"
    raws = list(git_log.read_batches(store, [(batch.commit, None) for batch in batches]))
    last = raws[-1]
    spoilt = RawBatch("f" * 40, None, last.manifest.replace(b'"sig":"', b'"sig":"AA'), last.facts, last.statements)
    forged = check(spoilt)
    assert isinstance(forged, Batch)
    assert not forged.sound
    index = make()
    for batch in [*batches, forged] if sound_first else [forged, *batches]:
        with index.adding():
            index.add(batch)
            intake.settle(index)
    assert [row.trusted for row in index.rows()] == [True, True, True]
    assert {alarm.code for alarm in index.alarms()} == {"signature"}


def test_alarms_are_kept_once(make):
    index = make()
    alarm = Alarm("digest", "text", "ref", "c" * 40, ("a", "b"))
    for _ in range(2):
        with index.adding():
            index.add_alarm(alarm)
    assert index.alarms() == [alarm]
