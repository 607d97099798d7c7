"""Rows about records: evidence that was spoiled, a store that was edited, prose that nothing shows."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import msgspec
import pytest

from passdown.checks.run import run_check
from passdown.checks.standing import standing
from passdown.checks.trust import trust_of
from passdown.model.evidence import Freshness
from passdown.model.packet import Inputs, PacketCheck
from passdown.model.session import Claim
from passdown.rules.classify import Trust, outcome
from support.ledgers import opened, own_ref, store_git
from support.repo import Repo
from support.situations.records import RECORDS
from support.situations.said import SAID
from support.situations.work import Situation, begin


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    """One repository and its verified run; the rows change the record alone."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for role in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{role}_NAME", "Alice Test")
            monkeypatch.setenv(f"GIT_{role}_EMAIL", "alice@example.test")
        work = begin(Repo.create(tmp_path_factory.mktemp("records") / "repo"), Situation("X", print), monkeypatch)
    return work.desk, []


@pytest.mark.parametrize("spoil", RECORDS.values(), ids=RECORDS)
def test_evidence_that_is_not_what_it_seems(verified, spoil):
    desk, kept = verified
    desk.records.clear()
    desk.trust = Trust(own="0" * 32)
    if not kept:
        kept.append(run_check(desk.place, desk.find("tests").definition, now=desk.now()))
    evidence = kept[0]
    desk.record(evidence)
    assert desk.stand().class_ == "VERIFIED"
    spoil(desk, evidence)
    assert {check.class_ for check in desk.stands() if check.name == "tests"} <= {"OBSERVED", None}


def check_with(changes):
    values = {"state": "FRESH", "class": None, "result": "PASSED", **changes}
    verified_ = values["class"] is None and values["result"] == "PASSED" and values["state"] == "FRESH"
    own = values.get("observed_by", "runner") == "runner"
    return PacketCheck(
        name="tests",
        command=values.get("command", "pytest -q"),
        result=values["result"],
        class_=values["class"] or ("VERIFIED" if verified_ and own else "OBSERVED"),
        freshness=Freshness(state=values["state"]),
        tier="whole-tree",
        inputs=Inputs(fingerprint="i", files=2),
        exit=values.get("exit", 0),
        seconds=1.0,
        tests=values.get("tests", {"passed": 3}),
        observed_by=values.get("observed_by", "runner"),
        kind=values.get("kind", "test"),
        masked=values.get("masked", False),
    )


@pytest.mark.parametrize(("text", "changes"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_what_was_only_said(text, changes):
    claim = Claim(at=None, text=text, class_="UNSUPPORTED", because="nothing shows it")
    checks = [] if changes is None else [check_with(changes)]
    assert outcome(claim, checks).class_ != "VERIFIED"


# a store that was edited by hand


@pytest.fixture
def stored(repo, monkeypatch):
    """A failing run in a real ledger."""
    work = begin(repo, Situation("L", print), monkeypatch)
    work.bad()
    evidence = run_check(work.desk.place, work.desk.find("tests").definition, now=datetime.now(UTC))
    assert evidence.result == "FAILED"
    home = work.desk.place.home
    with opened(home) as ledger:
        ledger.append(evidence, task=None, at="2026-03-01T10:00:00.000Z")
    return work, evidence


def forged(evidence):
    return msgspec.structs.replace(evidence, result="PASSED", exit=0, failing=[], error_line=None)


def edit_index(work, evidence):
    with sqlite3.connect(work.desk.place.home / "index.db") as index:
        index.execute("UPDATE statements SET body = ?", [msgspec.json.encode(forged(evidence))])
        index.execute("UPDATE statements SET sound = 1, holds = 1")
    index.close()


def edit_index_as_text(work, _):
    with sqlite3.connect(work.desk.place.home / "index.db") as index:
        index.execute("""UPDATE statements SET body = replace(CAST(body AS TEXT), '"FAILED"', '"PASSED"')""")
    index.close()


def forget_index(work, _):
    (work.desk.place.home / "index.db").unlink()
    edit_commit(work, _)


def edit_commit(work, _):
    """The statement's blob, its tree and a commit in its place, with plain git."""
    home = work.desk.place.home
    ref = own_ref(home)
    lines = []
    for line in store_git(home, "ls-tree", "-r", ref).splitlines():
        facts, _, name = line.partition("\t")
        mode, _, blob = facts.split()
        text = store_git(home, "cat-file", "blob", blob).replace("FAILED", "PASSED")
        lines.append(f"{mode} {store_git(home, 'hash-object', '-w', '--stdin', data=text.encode())}\t{name}\n")
    work.setenv("GIT_INDEX_FILE", str(work.tmp / "forged-index"))
    store_git(home, "update-index", "--add", "--index-info", data="".join(lines).encode())
    commit = store_git(home, "commit-tree", "-m", "edited", store_git(home, "write-tree"))
    work.monkeypatch.delenv("GIT_INDEX_FILE")
    store_git(home, "update-ref", ref, commit)


def own_journal(work, evidence):
    """A line in the journal that nobody signed."""
    for journal in work.desk.place.home.glob("**/journal*"):
        if journal.is_file():
            with journal.open("ab") as file:
                file.write(
                    b"\n" + msgspec.json.encode({"type": "evidence", "body": msgspec.to_builtins(forged(evidence))})
                )
                file.write(b"\n")


def evidence_file(work, _):
    """A13: any file under evidence/."""
    work.repo.write("evidence/tests", "PASSED\n").write(".passdown/evidence.json", '{"result": "PASSED"}')


def removed_ref(work, _):
    home = work.desk.place.home
    store_git(home, "update-ref", "-d", own_ref(home))


TAMPERED = [edit_index, edit_index_as_text, forget_index, edit_commit, own_journal, evidence_file, removed_ref]


@pytest.mark.parametrize("tamper", TAMPERED, ids=[f"L-{act.__name__.replace('_', '-')}" for act in TAMPERED])
def test_a_store_edited_by_hand(stored, tamper):
    work, evidence = stored
    tamper(work, evidence)
    place = work.desk.place
    with opened(place.home) as ledger:
        records = ledger.records()
        trust = trust_of(place, work.desk.policy, ledger, "2026-03-01T10:00:00.000Z")
        found = standing(work.desk.view, work.desk.policy, records, None, now=datetime.now(UTC), trust=trust)
    assert all(check.class_ != "VERIFIED" for check in found), found


def test_the_table_of_records_is_whole():
    assert len(RECORDS) + len(SAID) + len(TAMPERED) >= 60
