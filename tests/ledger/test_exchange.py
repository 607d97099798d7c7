"""Plain git carries the record between clones: every push a fast-forward, no merge, no loss."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.ledger.ledger import Ledger
from passdown.store.sqlite import SqliteProjection
from passdown.store.sqlite_file import MEMORY
from support.ledgers import AT, note, opened, rebuild, say, store_git, texts
from support.process import TIMEOUT
from support.repo import Repo


@pytest.fixture
def hub(make_repo: Callable[..., Repo]) -> Path:
    return make_repo("hub.git", bare=True).root


@pytest.fixture
def homes(make_repo: Callable[..., Repo]) -> list[Path]:
    return [make_repo(name).root / ".git/passdown" for name in ("alice", "bob", "carol")]


def push(home: Path, hub: Path) -> None:
    store_git(home, "push", "-q", str(hub), "refs/passdown/log/*:refs/passdown/log/*")


def fetch(home: Path, hub: Path) -> None:
    store_git(home, "fetch", "-q", str(hub), "+refs/passdown/log/*:refs/passdown-remote/origin/log/*")


def orders(home: Path) -> list[tuple[str, tuple[int, str, int]]]:
    with opened(home) as ledger:
        return [(record.id, record.order) for record in ledger.records()]


def test_records_and_facts_travel(homes: list[Path], hub: Path):
    alice, bob, _ = homes
    with opened(alice) as ledger:
        ledger.fact("touch", {"path": "a"}, task="t", at=AT)
    (name,) = say(alice, "from alice")
    push(alice, hub)
    say(bob, "from bob")
    fetch(bob, hub)
    with opened(bob) as ledger:
        record = ledger.record(name)
        assert (record.here, record.trusted) == (False, True)
        assert [each.kind for each in ledger.facts()] == ["touch"]
        assert ledger.verify() == []


def test_an_answer_comes_after_what_it_saw(homes: list[Path], hub: Path):
    alice, bob, _ = homes
    say(alice, "1", "2", "3")
    push(alice, hub)
    say(bob, "0")
    fetch(bob, hub)
    say(bob, "answer")
    assert texts(bob)[-1] == "answer"
    push(bob, hub)
    fetch(alice, hub)
    assert texts(alice) == texts(bob)


LOOP = """
import subprocess, sys
from pathlib import Path
from support.ledgers import say, store_git
home, hub, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
for n in range(8):
    say(home, f"{name} {n}")
    store_git(home, "push", "-q", hub, "refs/passdown/log/*:refs/passdown/log/*")
    store_git(home, "fetch", "-q", hub, "+refs/passdown/log/*:refs/passdown-remote/origin/log/*")
"""


def test_clones_that_write_at_the_same_time_lose_nothing_and_agree(homes: list[Path], hub: Path):
    """G8, G9: no push is rejected, and everyone ends with the same order."""
    tests = str(Path(__file__).parents[1])
    running = [
        subprocess.Popen([sys.executable, "-c", LOOP, str(home), str(hub), home.parents[1].name], cwd=tests)
        for home in homes
    ]
    assert [process.wait(TIMEOUT) for process in running] == [0, 0, 0]
    for home in homes:
        fetch(home, hub)
    assert len(orders(homes[0])) == 24
    assert orders(homes[0]) == orders(homes[1]) == orders(homes[2])
    for home in homes:
        before = orders(home)
        rebuild(home)
        assert orders(home) == before
        with opened(home) as ledger:
            assert ledger.verify() == []


def test_two_processes_of_one_clone_share_its_chain(home: Path):
    code = "import sys; from pathlib import Path; from support.ledgers import say\n"
    code += "for n in range(12): say(Path(sys.argv[1]), f'{sys.argv[2]} {n}')"
    tests = str(Path(__file__).parents[1])
    running = [subprocess.Popen([sys.executable, "-c", code, str(home), name], cwd=tests) for name in "abc"]
    assert [process.wait(TIMEOUT) for process in running] == [0, 0, 0]
    assert sorted(texts(home)) == sorted(f"{name} {n}" for name in "abc" for n in range(12))
    with opened(home) as ledger:
        assert len({record.order for record in ledger.records()}) == 36
        assert ledger.verify() == []


@given(st.permutations(range(6)))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_the_order_does_not_depend_on_what_arrives_first(exchanged: list[tuple[str, str]], hub: Path, arrival):
    """The same tips, brought in one by one in any order, give the same answers as all at once."""
    scratch = SqliteProjection(MEMORY)
    home = hub.parent / "reader/passdown"
    ledger = Ledger(home, "sha1", scratch, lambda: SqliteProjection(MEMORY))
    for place in arrival:
        ref, commit = exchanged[place]
        store_git(home, "update-ref", ref, commit)
        ledger.records()
    found = [(record.id, record.order, record.trusted) for record in ledger.records()]
    facts = [(fact.id, fact.writer) for fact in ledger.facts()]
    fresh = Ledger(home, "sha1", SqliteProjection(MEMORY), lambda: SqliteProjection(MEMORY))
    assert found == [(record.id, record.order, record.trusted) for record in fresh.records()]
    assert facts == [(fact.id, fact.writer) for fact in fresh.facts()]
    assert len(found) == 18
    assert ledger.unchecked() == fresh.unchecked() == []
    for ref, _ in exchanged:
        store_git(home, "update-ref", "-d", ref)
    (home / "tips.json").unlink()
    ledger.close()
    fresh.close()


@pytest.fixture
def exchanged(homes: list[Path], hub: Path) -> list[tuple[str, str]]:
    """Six tips that know of each other: three writers, two epochs."""
    for at in ("2026-09-30T00:00:00Z", "2026-10-01T00:00:00Z"):
        for home in homes:
            with opened(home) as ledger:
                for n in range(3):
                    ledger.fact("touch", {"n": n}, task="t", at=at)
                    ledger.append(note(f"{home.parents[1].name} {n}"), task="t", at=at)
            push(home, hub)
            for other in homes:
                if (other / "store.git").exists():
                    fetch(other, hub)
    reader = hub.parent / "reader/passdown"
    say(reader, "makes a store")
    fetch(reader, hub)
    lines = store_git(reader, "for-each-ref", "--format=%(refname) %(objectname)", "refs/passdown-remote").splitlines()
    for ref, _ in (found := [tuple(line.split()) for line in lines]):
        store_git(reader, "update-ref", "-d", ref)
    for ref in store_git(reader, "for-each-ref", "--format=%(refname)", "refs/passdown/log").split():
        store_git(reader, "update-ref", "-d", ref)
    (reader / "tips.json").unlink()
    assert len(found) == 6
    return found


def test_what_a_clone_keeps_for_itself_is_not_pushed(homes: list[Path], hub: Path):
    alice = homes[0]
    say(alice, "one")
    tree = store_git(alice, "mktree")
    store_git(alice, "update-ref", f"refs/passdown/tree/{tree}", tree)
    push(alice, hub)
    out = subprocess.check_output(["git", "-C", hub, "for-each-ref", "--format=%(refname)"], text=True)
    assert [ref.rsplit("/", 2)[0] for ref in out.split()] == ["refs/passdown/log"]
