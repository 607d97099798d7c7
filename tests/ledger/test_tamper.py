"""What was changed by hand alarms, and is not trusted."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from passdown.ledger import envelope, journal
from passdown.ledger.envelope import IN_TOTO
from passdown.ledger.writer import ensure_writer
from support.ledgers import AT, note, opened, own_ref, rebuild, say, store_git, texts

Edit = Callable[[Path, str], None]


def tree_with(home: Path, commit: str, path: str, content: bytes) -> str:
    """The tree of a commit with one file replaced."""
    blob = store_git(home, "hash-object", "-w", "--stdin", data=content)
    folder, _, name = path.rpartition("/")
    listed = store_git(home, "ls-tree", f"{commit}:{folder}" if folder else commit).splitlines()
    kept = [line for line in listed if not line.endswith(f"\t{name}")]
    inner = store_git(home, "mktree", data="\n".join([*kept, f"100644 blob {blob}\t{name}"]).encode() + b"\n")
    if not folder:
        return inner
    outer = [line for line in store_git(home, "ls-tree", commit).splitlines() if not line.endswith(f"\t{folder}")]
    return store_git(home, "mktree", data="\n".join([*outer, f"040000 tree {inner}\t{folder}"]).encode() + b"\n")


def recommit(home: Path, tree: str, parent: str | None) -> None:
    """Make our ref a commit of that tree."""
    options = ["-p", parent] if parent else []
    commit = store_git(
        home, "-c", "user.name=x", "-c", "user.email=x@example.test", "commit-tree", tree, *options, "-m", ""
    )
    store_git(home, "update-ref", own_ref(home), commit)


def edit(home: Path, path: str, change: Callable[[bytes], bytes]) -> None:
    tip = store_git(home, "rev-parse", own_ref(home))
    data = store_git(home, "cat-file", "blob", f"{tip}:{path}").encode()
    recommit(home, tree_with(home, tip, path, change(data)), store_git(home, "rev-parse", f"{tip}~1"))


def forged(data: bytes, old: bytes = b"last", new: bytes = b"LAST") -> bytes:
    """The envelope with another text in the same place."""
    envelope = json.loads(data)
    payload = base64.b64decode(envelope["payload"]).replace(old, new)
    return json.dumps({**envelope, "payload": base64.b64encode(payload).decode()}).encode()


def edit_statement(home: Path, name: str) -> None:
    edit(home, f"statements/{name}.json", forged)


def drop_person_signature(home: Path, name: str) -> None:
    edit(home, f"statements/{name}.json", lambda data: data.replace(b'"signatures":[', b'"signatures": ['))


def edit_manifest(home: Path, _name: str) -> None:
    edit(home, "batch.json", lambda data: forged(data, b'"number":3', b'"number":4'))


def empty_manifest(home: Path, _name: str) -> None:
    edit(home, "batch.json", lambda _: b"{}")


def other_parent(home: Path, _name: str) -> None:
    tip = store_git(home, "rev-parse", own_ref(home))
    recommit(home, store_git(home, "rev-parse", f"{tip}^{{tree}}"), store_git(home, "rev-parse", f"{tip}~2"))


EDITS = [edit_statement, drop_person_signature, edit_manifest, empty_manifest, other_parent]


@pytest.mark.parametrize("fresh", [True, False], ids=["seen first here", "after it was seen whole"])
@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.__name__)
def test_an_edited_commit_alarms_and_is_not_trusted(home: Path, change: Edit, fresh: bool):
    say(home, "first", "second")
    (name,) = say(home, "last")
    if fresh:
        (home / "tips.json").unlink()
        rebuild(home)
    change(home, name)
    with opened(home) as ledger:
        assert ledger.verify() != []
        assert ledger.alarms() != []
        trusted = [record.body.text for record in ledger.records() if record.trusted]
    # What was seen whole before stays trusted: its bytes are still here, under the tip that was seen.
    unseen = ["first"] if change is other_parent else ["first", "second"]
    assert trusted == (unseen if fresh else ["first", "second", "last"])


def test_edited_facts_alarm_and_do_not_count(home: Path):
    say(home, "first")
    with opened(home) as ledger:
        ledger.fact("denial", {"path": "a"}, task="t", at=AT)
        ledger.append(note("last"), task="t", at=AT)
    (home / "tips.json").unlink()
    rebuild(home)
    edit(home, "facts.jsonl", lambda data: data.replace(b"denial", b"touch"))
    with opened(home) as ledger:
        assert list(ledger.facts()) == []
        assert [alarm.code for alarm in ledger.verify()] == ["digest"]


def rewind(home: Path, ref: str) -> None:
    store_git(home, "update-ref", ref, store_git(home, "rev-parse", f"{ref}~1"))


def replace(home: Path, ref: str) -> None:
    tree = store_git(home, "rev-parse", f"{ref}~2^{{tree}}")
    recommit(home, tree, None)


def remove(home: Path, ref: str) -> None:
    store_git(home, "update-ref", "-d", ref)


@pytest.mark.parametrize(("change", "code"), [(rewind, "rewound"), (replace, "forked"), (remove, "gone")])
def test_a_moved_ref_alarms_and_loses_nothing(home: Path, change: Edit, code: str):
    say(home, "first", "second", "last")
    change(home, own_ref(home))
    for _ in range(2):
        with opened(home) as ledger:
            assert code in {alarm.code for alarm in ledger.alarms()}
            assert code in {alarm.code for alarm in ledger.verify()}
        assert texts(home) == ["first", "second", "last"]
        rebuild(home)


@pytest.mark.parametrize("change", [rewind, replace, remove])
def test_writing_goes_on_after_a_moved_ref(home: Path, change: Edit):
    say(home, "first", "second", "last")
    change(home, own_ref(home))
    with opened(home) as ledger:
        ledger.append(note("after"), task="t", at=AT)
        assert ledger.pending == ""
    assert texts(home) == ["first", "second", "last", "after"]
    rebuild(home)
    assert texts(home) == ["first", "second", "last", "after"]


def test_one_key_in_two_places_is_a_fork(home: Path, tmp_path: Path):
    """A copied machine image: both chains are kept, and it alarms."""
    say(home, "first")
    other = tmp_path / "other"
    shutil.copytree(home / "store.git", other)
    say(home, "here")
    tip = store_git(home, "rev-parse", own_ref(home))
    store_git(home, "update-ref", own_ref(home), f"{tip}~1")
    (home / "tips.json").unlink()
    rebuild(home)
    say(home, "there")
    store_git(home, "update-ref", own_ref(home).replace("refs/passdown/", "refs/passdown-remote/o/"), tip)
    assert sorted(texts(home)) == ["first", "here", "there"]
    with opened(home) as ledger:
        assert {alarm.code for alarm in ledger.verify()} == {"forked"}


def test_a_chain_under_another_writer_s_name_alarms(home: Path):
    say(home, "first")
    tip = store_git(home, "rev-parse", own_ref(home))
    store_git(home, "update-ref", f"refs/passdown-remote/o/log/{'0' * 32}/2026q4", tip)
    with opened(home) as ledger:
        assert {alarm.code for alarm in ledger.verify()} == {"chain"}


@pytest.mark.parametrize("content", [b"x", b"", b"\0" * 100])
def test_a_ref_to_something_else_alarms(home: Path, content: bytes):
    say(home, "first")
    blob = store_git(home, "hash-object", "-w", "--stdin", data=content)
    store_git(home, "update-ref", f"refs/passdown-remote/o/log/{'0' * 32}/2026q4", blob)
    with opened(home) as ledger:
        assert ledger.verify() != []
    assert texts(home) == ["first"]


HOSTILE = [
    {"predicate": {"task": "t\x00", "at": "never", "writer": "W", "clock": {"lamport": 2**80}, "body": {}}},
    {"predicate": {"task": None, "at": "x" * 9999, "writer": "W", "clock": {"lamport": -1}, "body": None}},
    {"predicate": {"task": "t", "at": AT, "writer": "other", "clock": {"lamport": 1}, "body": {}}},
    {"predicateType": "\n'; DROP TABLE facts; --"},
    {"predicateType": "https://passdown.dev/../packet/v1"},
    {"predicate": {"task": "t", "at": AT, "writer": "W", "clock": {"lamport": 2, "seen": {"a": "--help"}}, "body": {}}},
    {"subject": "none"},
]


@pytest.mark.parametrize("change", HOSTILE)
def test_what_a_valid_key_signed_can_still_be_nonsense(home: Path, change: dict[str, object]):
    """Another writer's statement is data: it is kept or refused, never an error."""
    say(home, "first")
    writer = ensure_writer(home)
    predicate = {"task": "t", "at": AT, "writer": "W", "clock": {"lamport": 2}, "body": {}}
    said = {"_type": "https://in-toto.io/Statement/v1", "subject": [], "predicateType": "x", "predicate": predicate}
    payload = json.dumps({**said, **change}).replace('"W"', f'"{writer.id}"').encode()
    sealed = envelope.seal(IN_TOTO, payload, [writer.sign(envelope.pae(IN_TOTO, payload))])
    name = envelope.statement_id(payload)
    line = journal.Journalled(statement=name, public=writer.public, envelope=msgspec.Raw(sealed))
    journal.write(home, msgspec.json.encode(line), sync=True)
    journal.write(home, b'{"statement":"' + b"[" * 100_000, sync=True)
    assert texts(home) == ["first"]
    with opened(home) as ledger:
        ledger.flush()
        ledger.verify()
        ledger.unknown()
        ledger.append(note("last"), task="t", at=AT)
    rebuild(home)
    assert texts(home) == ["first", "last"]
