from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.ledger import envelope, journal
from passdown.ledger.envelope import IN_TOTO
from passdown.ledger.statement import Clock
from passdown.ledger.writer import ensure_writer
from passdown.model.event import Held, Note
from passdown.model.packet import Packet
from support.ledgers import AT, held_ref, note, opened, rebuild, say, store_git, texts
from support.repo import Repo


def test_reading_where_passdown_never_was_creates_nothing(home: Path):
    with opened(home) as ledger:
        assert ledger.records() == []
        assert list(ledger.facts()) == []
        assert ledger.verify() == []
        assert ledger.alarms() == []
        assert ledger.writer == ""
        ledger.flush()
        with pytest.raises(PassdownError, match="no packet abcd"):
            ledger.record("abcd", "packet")
    assert not home.exists()


def test_what_was_appended_is_read_by_the_next_process(home: Path):
    ids = say(home, "one", "two") + say(home, "three", task="u")
    with opened(home) as ledger:
        assert [record.id for record in ledger.records()] == ids
        assert [record.body.text for record in ledger.records(task="t")] == ["one", "two"]
        assert [record.order[0] for record in ledger.records()] == [1, 2, 3]
        assert all(record.here and record.trusted and record.signers == [ledger.writer] for record in ledger.records())
        assert ledger.verify() == []


def test_types_are_told_apart(home: Path):
    with opened(home) as ledger:
        ledger.append(Held(task="t", because="wait", by="alice"), task="t", at=AT)
        ledger.append(note(), task="t", at=AT)
        assert [record.type for record in ledger.records(task="t")] == ["held", "note"]
        assert [record.body for record in ledger.records(type="held")] == [Held(task="t", because="wait", by="alice")]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_both_object_formats(make_repo, object_format: str):
    home = make_repo("r", object_format=object_format).root / ".git/passdown"
    with opened(home, object_format) as ledger:
        ledger.append(note("one"), task="t", at=AT)
        ledger.append(note("two"), task="t", at=AT)
        assert ledger.verify() == []
    assert texts(home) == ["one", "two"]
    assert len(store_git(home, "for-each-ref", "--format=%(objectname)", "refs/passdown/log")) in {40, 64}


def test_ids_are_looked_up_by_prefix(home: Path):
    (name,) = say(home, "one")
    with opened(home) as ledger:
        assert ledger.record(name[:4]).id == name
        assert ledger.record(name.upper()).id == name
        assert ledger.record(name[:8], "note").id == name
        with pytest.raises(PassdownError, match="no packet"):
            ledger.record(name[:8], "packet")


@pytest.mark.parametrize("prefix", ["", "abc", "xyzw", "%%%%", "../../", "g" * 8])
def test_what_is_no_id_is_said_so(home: Path, prefix: str):
    with opened(home) as ledger, pytest.raises(PassdownError, match="not an id"):
        ledger.record(prefix)


def test_an_ambiguous_prefix_names_the_candidates(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("passdown.ledger.ledger._SHORTEST", 1)
    say(home, *(f"n{n}" for n in range(18)))  # 18 ids, 16 first digits
    with opened(home) as ledger:
        first = [record.id[0] for record in ledger.records()]
        twice = next(digit for digit in first if first.count(digit) > 1)
        with pytest.raises(PassdownError, match=f"{twice} names .* records: {twice}") as raised:
            ledger.record(twice)
        assert raised.value.hint == "give more digits"


def test_facts_are_read_before_and_after_their_commit(home: Path):
    with opened(home) as ledger:
        ledger.fact("touch", {"path": "a", "line": 3, "rule": None}, task="t", at=AT)
        ledger.fact("denial", {"path": "b"}, task="u", at=AT)
        before = list(ledger.facts())
        ledger.flush()
        after = list(ledger.facts())
        assert [each.id for each in before] == [each.id for each in after]
        assert [each.writer for each in before] == ["", ""]
        assert [each.writer for each in after] == [ledger.writer] * 2
        assert [each.data for each in ledger.facts(task="t")] == [{"path": "a", "line": 3, "rule": None}]
        assert [each.kind for each in ledger.facts(kind="denial")] == ["denial"]


def test_a_statement_that_could_not_be_committed_is_there_and_is_committed_later(home: Path):
    say(home, "one")
    with held_ref(home), opened(home) as ledger:
        waiting = [ledger.append(note(text), task="t", at=AT) for text in ("two", "three")]
        assert "fast-import" in ledger.pending
        assert [record.id for record in ledger.records()][1:] == waiting
        assert ledger.record(waiting[0]).trusted
        assert ledger.alarms() == []
    assert texts(home) == ["one", "two", "three"]
    say(home, "four")
    rebuild(home)
    assert texts(home) == ["one", "two", "three", "four"]
    assert list((home / "journal").glob("*.segment")) == []


def test_a_statement_of_an_unknown_type_is_kept_and_counted(home: Path):
    say(home, "one")
    writer = ensure_writer(home)
    payload = json.dumps(
        {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": "x", "digest": {"sha256": "0" * 64}}],
            "predicateType": "https://passdown.dev/telepathy/v1",
            "predicate": {"task": "t", "at": AT, "writer": writer.id, "clock": {"lamport": 1}, "body": {"x": 1}},
        }
    ).encode()
    sealed = envelope.seal(IN_TOTO, payload, [writer.sign(envelope.pae(IN_TOTO, payload))])
    name = envelope.statement_id(payload)
    line = journal.Journalled(statement=name, public=writer.public, envelope=msgspec.Raw(sealed))
    journal.write(home, msgspec.json.encode(line), sync=True)
    with opened(home) as ledger:
        assert ledger.unknown() == {"telepathy": 1}
        ledger.flush()
        assert ledger.unknown() == {"telepathy": 1}
        assert ledger.verify() == []
    assert texts(home) == ["one"]


@pytest.mark.parametrize("lamport", [0, -1, 2**53, 2**70])
def test_a_clock_that_is_none_is_not_committed_and_spoils_nothing(home: Path, monkeypatch, lamport: int):
    say(home, "one")
    with held_ref(home):
        say(home, "two")
        with monkeypatch.context() as patched:
            patched.setattr("passdown.ledger.ledger.clock_now", lambda *_: Clock(lamport=lamport))
            say(home, "forged")
    say(home, "three")
    assert texts(home) == ["one", "two", "three"]
    with opened(home) as ledger:
        assert ledger.verify() == []


def test_an_absurd_clock_of_another_is_not_followed(home: Path, monkeypatch: pytest.MonkeyPatch):
    """Its heads are not here, so nobody can say that it lies; it must not wear out everybody's clock."""
    with monkeypatch.context() as patched:
        seen = {"elsewhere/2026q4": "1" * 40}
        patched.setattr("passdown.ledger.ledger.clock_now", lambda *_: Clock(lamport=2**53 - 1, seen=seen))
        say(home, "absurd")
    (home / "writer.json").unlink()
    say(home, "one", "two")
    assert texts(home) == ["one", "two", "absurd"]
    with opened(home) as ledger:
        assert [record.order[0] for record in ledger.records()][:2] == [1, 2]


@pytest.mark.parametrize("lamport", [2, 9])
def test_a_clock_that_does_not_follow_is_not_trusted(home: Path, monkeypatch: pytest.MonkeyPatch, lamport: int):
    """Anything but one more than the heads seen: kept, alarmed, untrusted."""
    with monkeypatch.context() as patched:
        patched.setattr("passdown.ledger.ledger.clock_now", lambda *_: Clock(lamport=lamport))
        (name,) = say(home, "forged")
    with opened(home) as ledger:
        assert [record.trusted for record in ledger.records()] == [False]
        assert name in {each for alarm in ledger.alarms() for each in alarm.statements}
        assert {alarm.code for alarm in ledger.verify()} <= {"clock", "chain"}
        assert ledger.verify() != []


def test_a_head_that_is_not_here_leaves_the_clock_unchecked(home: Path, monkeypatch: pytest.MonkeyPatch):
    """Kept, said, and trusted as far as the signature goes."""
    with monkeypatch.context() as patched:
        seen = {"elsewhere/2026q4": "1" * 40}
        patched.setattr("passdown.ledger.ledger.clock_now", lambda *_: Clock(lamport=8, seen=seen))
        (name,) = say(home, "ahead")
    with opened(home) as ledger:
        assert ledger.unchecked() == [name]
        assert ledger.alarms() == []
        assert [record.trusted for record in ledger.records()] == [True]


def test_epochs_follow_the_clock_that_is_passed_in(home: Path):
    say(home, "one", at="2026-09-30T00:00:00Z")
    say(home, "two", at="2026-10-01T00:00:00Z")
    say(home, "three", at="2026-09-01T00:00:00Z")  # a clock that went back
    say(home, "four", at="2027-01-01T00:00:00Z")
    refs = store_git(home, "for-each-ref", "--format=%(refname)", "refs/passdown/log").split()
    assert [ref.rsplit("/", 1)[1] for ref in refs] == ["2026q3", "2026q4", "2027q1"]
    assert texts(home) == ["one", "two", "three", "four"]
    with opened(home) as ledger:
        assert ledger.verify() == []


def test_commits_are_anonymous_and_dated_by_the_clock_that_is_passed_in(home: Path):
    say(home, "one", at="2026-11-30T10:00:00Z")
    assert store_git(home, "log", "-1", "--format=%an <%ae> %cn %ct", "--all") == (
        "Passdown <passdown@localhost> Passdown 1796032800"
    )


def test_the_user_s_repository_is_untouched(repo: Repo, home: Path):
    def content() -> dict[Path, bytes]:
        return {
            path: path.read_bytes()
            for path in (repo.root).rglob("*")
            if path.is_file() and not path.is_relative_to(home)
        }

    before = content()
    say(home, "one", "two")
    assert content() == before


@given(st.permutations(range(4)))
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_a_long_journal_takes_several_batches(tmp_path_factory, order: list[int]):
    """Facts and statements mixed in any order, three records a batch."""
    home = tmp_path_factory.mktemp("long") / "passdown"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("passdown.ledger.flush.LIMIT", 3)
        with opened(home) as ledger:
            for _ in range(3):
                for each in order:
                    if each:
                        ledger.fact("touch", {"n": each}, task="t", at=AT)
            ledger.append(note("last"), task="t", at=AT)
            assert ledger.pending == ""
            assert [each.data["n"] for each in ledger.facts() if each.writer] == [n for n in order if n] * 3
            assert ledger.verify() == []
    assert texts(home) == ["last"]
    assert int(store_git(home, "rev-list", "--count", "--all")) == 4


def packet(**changes: object) -> Packet:
    golden = Path(__file__).parents[2] / "docs/golden/packet-v1-minimal.json"
    return msgspec.structs.replace(msgspec.json.decode(golden.read_bytes(), type=Packet), **changes)


def test_a_packet_is_sealed_without_its_own_name(home: Path):
    with opened(home) as ledger:
        name = ledger.seal(packet(packet="f" * 64), at=AT)
        record = ledger.record(name, "packet")
        assert record.body.packet is None
        assert record.task == record.body.task.id


def test_a_packet_above_256_kb_is_refused(home: Path):
    """H4."""
    with opened(home) as ledger:
        with pytest.raises(PassdownError, match="at most 256 KB"):
            ledger.seal(packet(note="x" * 300_000), at=AT)
        assert ledger.records() == []


def test_text_of_any_kind_survives(home: Path):
    odd = 'quote " newline \n tab \t nul \x00 snowman ☃ 𝄞 </script>'
    say(home, odd)
    assert texts(home) == [odd]
    assert isinstance(note(odd), Note)
