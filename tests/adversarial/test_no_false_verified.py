"""Every row is a situation in which a false VERIFIED would be possible, if one condition were forgotten.

The check passes iff src/state.txt says "good", unless the row says otherwise. No row may end as VERIFIED.
"""

from __future__ import annotations

import shutil
import threading
import time

import msgspec
import pytest

from passdown.checks import copy
from passdown.checks.run import run_check
from support.process import until
from support.repo import Repo
from support.situations.cheats import BEFORE
from support.situations.edits import EDITS, INPUTS
from support.situations.meanwhile import MEANWHILE
from support.situations.surroundings import DEFINITIONS, SURROUNDINGS, TOOLS, with_npm, with_tool
from support.situations.unseen import UNSEEN
from support.situations.work import Pristine, Situation, Work, begin

AFTER = [*EDITS, *INPUTS, *SURROUNDINGS, *TOOLS, *DEFINITIONS]


def ids(rows):
    return pytest.mark.parametrize("row", rows, ids=[row.id for row in rows])


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One repository for all rows that begin alike: put back after each, its evidence stays."""
    kept: dict[str, tuple[Pristine, Work]] = {}
    return kept, tmp_path_factory


def prepared(shared, row: Situation, monkeypatch) -> Work:
    """The row's repository with a verified run in it."""
    kept, factory = shared
    key = f"{row.policy}{sorted(row.files.items())}"
    if key not in kept:
        root = factory.mktemp("adversary") / "repo"
        work = begin(Repo.create(root), row, monkeypatch)
        kept[key] = Pristine(work.repo), work
        around(row, work)
        work.desk.check()
    pristine, work = kept[key]
    work = Work(work.repo, work.desk, monkeypatch)
    work.desk.later = type(work.desk.later)()
    pristine.put_back()
    around(row, work)
    return work


def around(row: Situation, work: Work) -> None:
    if row in TOOLS:
        shutil.rmtree(work.tmp / "venv", ignore_errors=True)
        with_tool(work)
    if "npm" in row.policy:
        with_npm(work)
    work.monkeypatch.delenv("DATABASE_URL", raising=False)


@ids(AFTER)
def test_after_a_verified_run(shared, row, monkeypatch):
    work = prepared(shared, row, monkeypatch)
    before = work.desk.stand()
    assert before.class_ == "VERIFIED", before
    row.act(work)
    stands = work.desk.stand()
    assert stands.class_ == "OBSERVED", stands
    assert stands.freshness.state != "FRESH"
    assert stands.freshness.because


@ids(UNSEEN)
def test_what_git_does_not_show(repo, row, monkeypatch):
    work = begin(repo, row, monkeypatch)
    work.desk.check()
    row.act(work)
    assert work.desk.stand().class_ == "OBSERVED"
    assert work.desk.stand().freshness.state != "FRESH"


@ids(BEFORE)
def test_a_run_that_proves_nothing(repo, row, monkeypatch):
    work = begin(repo, row, monkeypatch)
    row.act(work)
    evidence = work.desk.check()
    stands = work.desk.stand()
    assert stands.class_ != "VERIFIED", (evidence.result, stands)


@ids(MEANWHILE)
@pytest.mark.parametrize("how", ["in the worktree", "mounted", "beside"])
def test_edits_meanwhile(repo, row, how, monkeypatch):
    if how == "beside":
        monkeypatch.setattr(copy, "_can_mount", lambda: False)
    work = begin(repo, row, monkeypatch)
    work.repo.branch("good").write("src/state.txt", "good\n").commit("Good", at=time.time())
    work.repo.switch("main").write("src/state.txt", "bad\n").commit("Bad")
    work.desk.base = work.repo.head
    (work.tmp / "wait.sh").write_text(f"while test ! -e {work.tmp}/edited; do sleep 0.02; done\n")
    (work.tmp / "judge.sh").write_text(
        f"touch {work.tmp}/looked; while test ! -e {work.tmp}/undone; do sleep 0.02; done\n"
    )
    definition = work.desk.find("tests").definition
    definition = msgspec.structs.replace(definition, run=definition.run.replace("../", f"{work.tmp}/"))
    editor = threading.Thread(target=edit, args=(work, row))
    editor.start()
    evidence = run_check(work.desk.place, definition, now=work.desk.now(), isolated=how != "in the worktree")
    (work.tmp / "looked").touch()
    editor.join()
    assert evidence.result != "PASSED", (how, evidence)


def edit(work: Work, row: Situation) -> None:
    wait_for(work, "begun")
    undo = row.act(work)
    (work.tmp / "edited").touch()
    wait_for(work, "looked")
    undo(work)
    (work.tmp / "undone").touch()


def wait_for(work: Work, name: str) -> None:
    until((work.tmp / name).exists)


def test_the_table_is_whole():
    rows = [*AFTER, *BEFORE, *MEANWHILE, *UNSEEN]
    names = [row.id for row in rows]
    assert len(names) == len(set(names))
    assert len(names) >= 150
