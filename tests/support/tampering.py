"""A record of two clones with everything in it, and hands that change it: what ``log --verify`` must find."""

from __future__ import annotations

import base64
import json
import re
import shutil
import sqlite3
import stat
import subprocess
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from passdown.ledger import envelope, journal, keys, writer
from passdown.ledger.batch import BATCH_TYPE, Listed, Manifest, RawBatch, facts_digest, stream
from passdown.ledger.envelope import IN_TOTO, pae
from passdown.model.event import Attachment, Note
from support.ledgers import note, opened, store_git
from support.repo import Repo
from support.sessions import Sessions

EARLIER = "2026-07-01T10:00:00Z"
TEXT = "long output\n" * 400


@dataclass
class Record:
    """One clone's record: ``mine`` is its writer, ``theirs`` the other clone's, ``packets`` its own, oldest first."""

    root: Path
    mine: str
    theirs: str
    packets: list[str]
    trees: list[str]

    @property
    def home(self) -> Path:
        return self.root / ".git/passdown"

    @property
    def store(self) -> Path:
        return self.home / "store.git"

    @property
    def ref(self) -> str:
        """Our newest epoch."""
        return self.refs(f"refs/passdown/log/{self.mine}")[-1]

    @property
    def their_ref(self) -> str:
        return self.refs("refs/passdown-remote/origin/log/" + self.theirs)[-1]

    def refs(self, below: str) -> list[str]:
        return sorted(self.git("for-each-ref", "--format=%(refname)", below).split())

    def git(self, *args: str, data: bytes = b"") -> str:
        return store_git(self.home, *args, data=data)

    def blob(self, name: str) -> bytes:
        return subprocess.run(
            ["git", f"--git-dir={self.store}", "cat-file", "blob", name], capture_output=True, check=True
        ).stdout

    def set(self, ref: str, commit: str) -> None:
        self.git("update-ref", ref, commit)

    def commits(self, ref: str) -> list[str]:
        """Of one epoch, oldest first."""
        return self.git("rev-list", "--reverse", ref).split()

    def statement(self, kind: str) -> tuple[str, str]:
        """(commit, id) of the newest statement of a type in our own chain."""
        for ref in reversed(self.refs(f"refs/passdown/log/{self.mine}")):
            for commit in reversed(self.commits(ref)):
                for name in self.listed(commit):
                    sealed = json.loads(self.blob(f"{commit}:statements/{name}.json"))
                    if f"/{kind}/v1" in json.loads(base64.b64decode(sealed["payload"]))["predicateType"]:
                        return commit, name
        raise AssertionError(kind)

    def listed(self, commit: str) -> list[str]:
        return [each["id"] for each in self.manifest(commit)["statements"]]

    def manifest(self, commit: str) -> dict:
        return json.loads(base64.b64decode(json.loads(self.blob(f"{commit}:batch.json"))["payload"]))

    def with_facts(self) -> str:
        """A commit of ours that has facts."""
        return next(c for c in self.commits(self.ref)[::-1] if self.manifest(c)["fact_count"])


def build(folder: Path, sessions: Sessions, home: Path) -> Record:
    """Alice's clone after three tasks, an answer with her SSH key, and an exchange with Bob's."""
    hub = Repo.create(folder / "hub.git", bare=True)
    key = home / ".ssh/id_ed25519"
    key.parent.mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "alice", "-f", str(key)], check=True)
    alice = Repo.create(folder / "alice").write("src/a.py", "x = 1\n").write("src/ok", "yes\n")
    alice.write("passdown.toml", '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nacceptance = true\n')
    alice.commit("Begin").git("remote", "add", "origin", hub.root)
    alice.git("push", "-q", "-u", "origin", "main")
    alice.branch("retry")
    with opened(alice.home) as ledger:
        for text in ("one", "two"):
            ledger.append(note(text, "old"), task="old", at=EARLIER)
    session = sessions.claude(alice.root, branch="retry").user("make it two")
    session.edit("src/a.py", "x = 1", "x = 2").say("done").save()
    alice.passdown("pack", "--no-check").check()
    alice.passdown("check", "ok").check()
    alice.passdown("review", "--approve", "--note", "go on").check()
    alice.passdown("resume", "--json").check()
    with opened(alice.home) as ledger:
        task = ledger.records(type="packet")[0].task
        for path in ("src/a.py", "README.md"):
            ledger.fact("touch", {"path": path, "where": "inside"}, task=task, at="2026-11-30T10:00:00Z")
        ledger.flush()
    alice.write("src/a.py", "x = 3\n").passdown("pack", "--no-check").check()
    alice.write("src/more.py", "y = 1\n").passdown("rescue").check()
    alice.delete("src/more.py")
    with opened(alice.home) as ledger:
        body = Attachment(digest=sha256(TEXT.encode()).hexdigest(), media_type="text/plain", part=0, parts=1, text=TEXT)
        ledger.append(body, task=task, at="2026-11-30T10:00:00Z")
    alice.passdown("outcome", "abandoned", "--because", "enough").check()
    alice.passdown("start", "another thing", "--allow", "src/**").check()
    alice.passdown("note", "decision", "no new dependency").check()
    alice.passdown("pack", "--no-check").check()
    alice.passdown("sync").check()
    bob = hub.clone("bob")
    for goal in ("bob's thing", "bob's other thing"):
        bob.passdown("start", goal, "--allow", "src/**").check()
    bob.passdown("sync").check()
    alice.passdown("sync").check()
    with opened(alice.home) as ledger, opened(bob.home) as other:
        packets = [record for record in ledger.records(type="packet") if record.here]
        trees = [record.body.place.tree for record in packets]
        return Record(alice.root, ledger.writer, other.writer, [record.id for record in packets], trees)


# What hands do. Bytes of objects.


def loose(record: Record, name: str) -> Path:
    """The file of an object; out of its pack where it is in one."""
    path = record.store / "objects" / name[:2] / name[2:]
    if not path.exists():
        packs = list((record.store / "objects/pack").glob("*.pack"))
        for pack in packs:
            aside = record.home.parent / pack.name
            pack.rename(aside)
            pack.with_suffix(".idx").unlink()
            for more in (".rev", ".bitmap"):
                pack.with_suffix(more).unlink(missing_ok=True)
            record.git("unpack-objects", "-q", data=aside.read_bytes())
            aside.unlink()
    path.chmod(0o644)
    return path


def flip(path: Path, at: float = 0.5) -> None:
    path.chmod(path.stat().st_mode | stat.S_IWUSR)
    content = bytearray(path.read_bytes())
    content[int(len(content) * at)] ^= 0x10
    path.write_bytes(content)


def flipped(what: str) -> Callable[[Record], None]:
    def flip_one(record: Record) -> None:
        commit, name = record.statement("packet")
        names = {
            "commit": commit,
            "tree": f"{commit}^{{tree}}",
            "folder": f"{commit}:statements",
            "manifest": f"{commit}:batch.json",
            "statement": f"{commit}:statements/{name}.json",
            "facts": f"{record.with_facts()}:facts.jsonl",
            "kept file": f"{record.trees[-1]}:src/a.py",
            "kept folder": f"{record.trees[-1]}:src",
            "kept tree": record.trees[-1],
            "theirs": f"{record.their_ref}:batch.json",
        }
        flip(loose(record, record.git("rev-parse", names[what])))

    flip_one.__name__ = f"flip a byte of the {what}"
    return flip_one


def swap_object(record: Record, name: str, kind: str, content: bytes) -> None:
    """A whole, readable object under the name of another one."""
    data = f"{kind} {len(content)}\0".encode() + content
    loose(record, name).write_bytes(zlib.compress(data))


def swap_kept_file(record: Record) -> None:
    swap_object(record, record.git("rev-parse", f"{record.trees[-1]}:src/a.py"), "blob", b"x = 666\n")


def swap_commit(record: Record) -> None:
    commit = record.commits(record.ref)[1]
    content = record.git("cat-file", "commit", commit).replace("Passdown <", "Passdowm <").encode() + b"\n"
    swap_object(record, commit, "commit", content)


def delete_object(record: Record) -> None:
    loose(record, record.git("rev-parse", f"{record.commits(record.ref)[2]}:batch.json")).unlink()


def delete_kept_object(record: Record) -> None:
    loose(record, record.git("rev-parse", f"{record.trees[0]}:src/a.py")).unlink()


def packed(record: Record) -> Path:
    record.git("repack", "-adq")
    (pack,) = (record.store / "objects/pack").glob("*.pack")
    return pack


def truncate_pack(record: Record) -> None:
    pack = packed(record)
    pack.chmod(0o644)
    with pack.open("r+b") as file:
        file.truncate(pack.stat().st_size // 2)


def flip_pack(record: Record) -> None:
    flip(packed(record), 0.3)


def flip_pack_index(record: Record) -> None:
    flip(packed(record).with_suffix(".idx"), 0.6)


def remove_pack(record: Record) -> None:
    packed(record).unlink()


# Refs.


def rewind(record: Record) -> None:
    record.set(record.ref, f"{record.ref}~1")


def rewind_and_forget(record: Record) -> None:
    """And with it whatever this clone remembers; the remote's answer is still here."""
    record.set(record.ref, f"{record.ref}~2")
    for name in ("tips.json", "index.db", "index.db-wal", "index.db-shm"):
        (record.home / name).unlink(missing_ok=True)


def rewind_all_but_the_index(record: Record) -> None:
    for ref in (record.ref, record.ref.replace("refs/passdown/", "refs/passdown-remote/origin/")):
        record.set(ref, f"{ref}~2")
    (record.home / "tips.json").unlink()


def rewind_theirs(record: Record) -> None:
    record.set(record.their_ref, f"{record.their_ref}~1")


def remove_ref(record: Record) -> None:
    record.git("update-ref", "-d", record.ref)


def remove_their_ref(record: Record) -> None:
    record.git("update-ref", "-d", record.their_ref)


def remove_first_epoch(record: Record) -> None:
    """And every memory of it."""
    for ref in record.refs("refs"):
        if ref.endswith("2026q3"):
            record.git("update-ref", "-d", ref)
    for name in ("tips.json", "index.db", "index.db-wal", "index.db-shm"):
        (record.home / name).unlink(missing_ok=True)


def rename_ref(record: Record) -> None:
    was = record.ref
    record.set(was.replace("2026q4", "2027q1"), was)
    record.git("update-ref", "-d", was)


def swap_refs(record: Record) -> None:
    record.set(record.ref, record.git("rev-parse", record.their_ref))


def point_at_nothing(record: Record) -> None:
    (record.store / record.ref).write_text("1" * 40 + "\n")


def scribble_ref(record: Record) -> None:
    (record.store / record.ref).write_text("not an id\n")


def point_at_a_file(record: Record) -> None:
    record.set(record.ref, record.git("rev-parse", f"{record.ref}:batch.json"))


def pack_other_refs(record: Record) -> None:
    """Their chain's name in packed-refs, set back."""
    ref, back = record.their_ref, record.git("rev-parse", f"{record.their_ref}~1")
    (record.store / ref).unlink()
    (record.store / "packed-refs").write_text(f"# pack-refs with: sorted \n{back} {ref}\n")


# Chains.


def tree_with(record: Record, commit: str, path: str, content: bytes | None) -> str:
    """The tree of a commit with one file replaced, or without it."""
    folder, _, name = path.rpartition("/")

    def changed(tree: str, name: str, line: str | None) -> str:
        kept = [each for each in record.git("ls-tree", tree).splitlines() if not each.endswith(f"\t{name}")]
        lines = [*kept, *([f"{line}\t{name}"] if line else [])]
        return record.git("mktree", data="".join(f"{each}\n" for each in lines).encode())

    blob = f"100644 blob {record.git('hash-object', '-w', '--stdin', data=content)}" if content is not None else None
    inner = changed(f"{commit}:{folder}" if folder else commit, name, blob)
    return changed(commit, folder, f"040000 tree {inner}") if folder else inner


def commit_on(record: Record, tree: str, parent: str | None) -> str:
    who = ("-c", "user.name=Passdown", "-c", "user.email=passdown@localhost")
    return record.git(*who, "commit-tree", tree, *(["-p", parent] if parent else []), "-m", "")


def put(record: Record, ref: str, trees: list[str], parent: str | None) -> None:
    """The ref at commits of these trees on top of ``parent``; no memory of what it was."""
    for tree in trees:
        parent = commit_on(record, tree, parent)
    record.set(ref, parent or "")
    forget(record)


def forget(record: Record) -> None:
    """As in a clone that reads it for the first time."""
    for name in ("tips.json", "index.db", "index.db-wal", "index.db-shm"):
        (record.home / name).unlink(missing_ok=True)
    for ref in record.refs("refs/passdown-remote"):
        if f"/log/{record.mine}/" in ref:
            record.git("update-ref", "-d", ref)


def trees_of(record: Record, ref: str) -> list[str]:
    return [record.git("rev-parse", f"{commit}^{{tree}}") for commit in record.commits(ref)]


def drop_batch(record: Record) -> None:
    trees = trees_of(record, record.ref)
    put(record, record.ref, trees[:1] + trees[2:], None)


def reorder_batches(record: Record) -> None:
    trees = trees_of(record, record.ref)
    put(record, record.ref, [trees[0], trees[2], trees[1], *trees[3:]], None)


def repeat_batch(record: Record) -> None:
    put(record, record.ref, [trees_of(record, record.ref)[-1]], record.ref)


def drop_last_of_theirs(record: Record) -> None:
    put(record, record.their_ref, trees_of(record, record.their_ref)[1:], None)


def edit_file(record: Record, commit: str, path: str, change: Callable[[bytes], bytes | None]) -> None:
    """A file of a batch in the middle or at the end, with all that follows put on top again."""
    chains = [*record.refs("refs/passdown/log"), *record.refs("refs/passdown-remote")]
    ref = next(ref for ref in chains if commit in record.commits(ref))
    after = record.commits(ref)[record.commits(ref).index(commit) + 1 :]
    tree = tree_with(record, commit, path, change(record.blob(f"{commit}:{path}")))
    parents = record.git("rev-list", "--parents", "-n1", commit).split()[1:]
    later = [record.git("rev-parse", f"{each}^{{tree}}") for each in after]
    put(record, ref, [tree, *later], parents[0] if parents else None)


def changed(data: bytes, pattern: bytes, new: bytes) -> bytes:
    """The envelope with its payload changed."""
    sealed = json.loads(data)
    payload, times = re.subn(pattern, new, base64.b64decode(sealed["payload"]), count=1)
    assert times == 1, pattern
    return json.dumps({**sealed, "payload": base64.b64encode(payload).decode()}).encode()


def in_statement(kind: str, pattern: bytes, new: bytes, name: str) -> Callable[[Record], None]:
    def edit(record: Record) -> None:
        commit, statement = record.statement(kind)
        edit_file(record, commit, f"statements/{statement}.json", lambda data: changed(data, pattern, new))

    edit.__name__ = name
    return edit


edit_packet = in_statement("packet", rb'"state":"WATCH"|"state":"GO"|"state":"HOLD"', b'"state":"GO" ', "edit a packet")
edit_evidence = in_statement("evidence", rb'"exit":0', b'"exit":1', "edit evidence")
edit_verdict = in_statement("verdict", rb'"answer":"approve"', b'"answer":"narrow" ', "edit a verdict")
edit_attachment = in_statement("attachment", rb"long output", b"wrong text!", "edit an attachment")
edit_outcome = in_statement("closed", rb'"outcome":"abandoned"', b'"outcome":"completed"', "edit an outcome")


def edit_theirs(record: Record) -> None:
    commit = record.commits(record.their_ref)[0]
    (name,) = record.listed(commit)
    edit_file(record, commit, f"statements/{name}.json", lambda data: changed(data, rb"thing", b"THING"))


def drop_statement(record: Record) -> None:
    commit, name = record.statement("verdict")
    edit_file(record, commit, f"statements/{name}.json", lambda _: None)


def swap_statements(record: Record) -> None:
    commit, name = record.statement("verdict")
    other, another = record.statement("evidence")
    edit_file(record, commit, f"statements/{name}.json", lambda _: record.blob(f"{other}:statements/{another}.json"))


def drop_person_signature(record: Record) -> None:
    commit, name = record.statement("verdict")

    def without(data: bytes) -> bytes:
        sealed = json.loads(data)
        assert len(sealed["signatures"]) == 2
        return json.dumps({**sealed, "signatures": sealed["signatures"][:1]}).encode()

    edit_file(record, commit, f"statements/{name}.json", without)


def sign_by_another(record: Record) -> None:
    """The statement under its writer's name, signed by a foreign key."""
    commit, name = record.statement("verdict")
    private = keys.new_private()

    def signed(data: bytes) -> bytes:
        sealed, payload = envelope.read(data) or (None, b"")
        again = keys.sign(private, record.mine, pae(IN_TOTO, payload))
        return envelope.seal(IN_TOTO, payload, [again, *(sealed.signatures[1:] if sealed else [])])

    edit_file(record, commit, f"statements/{name}.json", signed)


def edit_manifest(record: Record) -> None:
    edit_file(
        record, record.commits(record.ref)[-1], "batch.json", lambda d: changed(d, rb'"lamport":\d', b'"lamport":9')
    )


def empty_manifest(record: Record) -> None:
    edit_file(record, record.commits(record.ref)[-1], "batch.json", lambda _: b"{}")


def sign_manifest_by_another(record: Record) -> None:
    private = keys.new_private()

    def signed(data: bytes) -> bytes:
        _, payload = envelope.read(data) or (None, b"")
        return envelope.seal(BATCH_TYPE, payload, [keys.sign(private, record.mine, pae(BATCH_TYPE, payload))])

    edit_file(record, record.commits(record.ref)[-1], "batch.json", signed)


def edit_facts(record: Record) -> None:
    edit_file(record, record.with_facts(), "facts.jsonl", lambda data: data.replace(b"README.md", b"README.MD"))


def drop_facts(record: Record) -> None:
    edit_file(record, record.with_facts(), "facts.jsonl", lambda _: None)


# What a stolen key can sign.


def stated(record: Record, lamport: int, text: str = "forged", seen: dict[str, str] | None = None) -> tuple[str, bytes]:
    """(id, envelope) of a note that our own key signs."""
    own = writer.ensure_writer(record.home)
    from passdown.ledger import statement  # noqa: PLC0415 - beside its one use

    clock = statement.Clock(lamport=lamport, seen=seen or {})
    body: Note = note(text)
    payload = statement.write(body, {}, task="t", at="2026-11-30T11:00:00Z", writer=own.id, clock=clock)
    return envelope.statement_id(payload), envelope.seal(IN_TOTO, payload, [own.sign(pae(IN_TOTO, payload))])


def own_batch(record: Record, jump: int = 0, skip: int = 0, on: str | None = None, inner: int = 0) -> str:
    """A batch that our own key signs on top of ``on``, its clock or count ``jump`` and ``skip`` too far."""
    own = writer.ensure_writer(record.home)
    tip = record.git("rev-parse", on or record.ref)
    last = record.manifest(tip)
    clock = last["lamport"] + 1
    name, sealed = stated(record, clock + inner, seen={f"{own.id}/{last['epoch']}": tip})
    said = Manifest(
        writer=own.id,
        public=own.public,
        epoch=last["epoch"],
        number=last["number"] + 1 + skip,
        previous=tip,
        sequence=last["sequence"] + len(last["statements"]),
        lamport=clock + inner + jump,
        at="2026-11-30T11:00:00Z",
        statements=[Listed(id=name, file=facts_digest(sealed))],
        facts="",
        fact_count=0,
        segments={},
    )
    payload = msgspec.json.encode(said)
    manifest = envelope.seal(BATCH_TYPE, payload, [own.sign(pae(BATCH_TYPE, payload))])
    raw = RawBatch("", tip, manifest, b"", {name: sealed})
    commands = stream("refs/forged", raw, said.at)
    return record.git("fast-import", "--quiet", "--date-format=raw", data=commands)


def jump_clock(record: Record) -> None:
    record.set(record.ref, own_batch(record, inner=1000))


def jump_batch_clock(record: Record) -> None:
    record.set(record.ref, own_batch(record, jump=1000))


def skip_a_number(record: Record) -> None:
    record.set(record.ref, own_batch(record, skip=3))


def fork_own_chain(record: Record) -> None:
    """Another last batch by our own key, and no memory of the first but the remote's answer."""
    record.set(record.ref, own_batch(record, on=f"{record.ref}~1"))
    for name in ("tips.json", "index.db", "index.db-wal", "index.db-shm"):
        (record.home / name).unlink(missing_ok=True)


def replace_own_chain(record: Record) -> None:
    record.set(record.ref, own_batch(record, on=f"{record.ref}~2"))


# The journal.


def journalled(record: Record, name: str, sealed: bytes, public: str) -> None:
    line = journal.Journalled(statement=name, public=public, envelope=msgspec.Raw(sealed))
    journal.write(record.home, msgspec.json.encode(line), sync=True)


def wait(record: Record) -> tuple[str, bytes, str]:
    """A note of ours that waits in the journal, as it does while the store cannot be written."""
    own = writer.ensure_writer(record.home)
    name, sealed = stated(record, 40, "waits")
    return name, sealed, own.public


def edit_journal(record: Record) -> None:
    name, sealed, public = wait(record)
    journalled(record, name, changed(sealed, rb"waits", b"WAITS"), public)


def cut_journal(record: Record) -> None:
    """A line in whose middle a byte is gone."""
    name, sealed, public = wait(record)
    line = msgspec.json.encode(journal.Journalled(statement=name, public=public, envelope=msgspec.Raw(sealed)))
    journal.write(record.home, line.replace(b'"payload":', b'"payload"'), sync=True)


def forge_journal_line(record: Record) -> None:
    """In our name, by another key."""
    name, sealed, _ = wait(record)
    private = keys.new_private()
    _, payload = envelope.read(sealed) or (None, b"")
    again = envelope.seal(IN_TOTO, payload, [keys.sign(private, record.mine, pae(IN_TOTO, payload))])
    journalled(record, name, again, base64.b64encode(keys.public_of(private)).decode())


def foreign_journal_line(record: Record) -> None:
    """By a key whose chain is nowhere."""
    from passdown.ledger import statement  # noqa: PLC0415 - beside its one use

    private = keys.new_private()
    public = keys.public_of(private)
    name = writer.writer_id(public)
    clock = statement.Clock(lamport=3)
    payload = statement.write(note("theirs"), {}, task="t", at="2026-11-30T11:00:00Z", writer=name, clock=clock)
    sealed = envelope.seal(IN_TOTO, payload, [keys.sign(private, name, pae(IN_TOTO, payload))])
    journalled(record, envelope.statement_id(payload), sealed, base64.b64encode(public).decode())


def edit_committed_journal_fact(record: Record) -> None:
    """A fact that is committed, once more with another path."""
    line = record.blob(f"{record.with_facts()}:facts.jsonl").splitlines()[0]
    journal.write(record.home, re.sub(rb'"path":"[^"]*"', b'"path":"other"', line), sync=True)


# The index, and the small files beside the store.


def in_index(command: str) -> Callable[[Record], None]:
    def run(record: Record) -> None:
        connection = sqlite3.connect(record.home / "index.db")
        assert connection.execute(command).rowcount, command
        connection.commit()
        connection.close()

    run.__name__ = f"index: {command[:60]}"
    return run


def insert_into_index(record: Record) -> None:
    """A statement that nobody signed, made from another one."""
    connection = sqlite3.connect(record.home / "index.db")
    connection.execute("CREATE TEMP TABLE t AS SELECT * FROM statements WHERE type = 'verdict'")
    connection.execute("UPDATE t SET id = ?, sequence = sequence + 1", ("f" * 64,))
    connection.execute("INSERT INTO statements SELECT * FROM t")
    connection.commit()
    connection.close()


def scribble_tips(record: Record) -> None:
    (record.home / "tips.json").write_text("{")


def edit_tips(record: Record) -> None:
    known = json.loads((record.home / "tips.json").read_text())
    (record.home / "tips.json").write_text(json.dumps({**known, record.ref: "2" * 40}))


def take_their_name(record: Record) -> None:
    """Our key under the other clone's name."""
    kept = json.loads((record.home / "writer.json").read_text())
    (record.home / "writer.json").write_text(json.dumps({**kept, "writer": record.theirs}))


def other_private_key(record: Record) -> None:
    kept = json.loads((record.home / "writer.json").read_text())
    private = base64.b64encode(keys.new_private()).decode()
    (record.home / "writer.json").write_text(json.dumps({**kept, "private": private}))


# The kept content.


def remove_kept(record: Record) -> None:
    record.git("update-ref", "-d", f"refs/passdown/tree/{record.trees[-1]}")


def swap_kept(record: Record) -> None:
    (record.store / "refs/passdown/tree" / record.trees[-1]).write_text(record.trees[0] + "\n")


def remove_rescued(record: Record) -> None:
    commit, name = record.statement("rescued")
    said = json.loads(base64.b64decode(json.loads(record.blob(f"{commit}:statements/{name}.json"))["payload"]))
    record.git("update-ref", "-d", f"refs/passdown/tree/{said['predicate']['body']['tree']}")


# The store itself.


def link_store(record: Record) -> None:
    elsewhere = record.home.parent / "elsewhere.git"
    record.store.rename(elsewhere)
    record.store.symlink_to(elsewhere)


def link_home(record: Record) -> None:
    elsewhere = record.home.parent / "elsewhere"
    record.home.rename(elsewhere)
    record.home.symlink_to(elsewhere)


def link_ref(record: Record) -> None:
    path = record.store / record.ref
    other = record.home / "a-ref"
    path.rename(other)
    path.symlink_to(other)


def lend_objects(record: Record) -> None:
    (record.store / "objects/info/alternates").write_text(str(record.home.parent / "objects") + "\n")


def replace_object(record: Record) -> None:
    old, new = record.git("rev-parse", f"{record.ref}:batch.json", f"{record.ref}~1:batch.json").split()
    record.set(f"refs/replace/{old}", new)


def graft(record: Record) -> None:
    commits = record.commits(record.ref)
    (record.store / "info").mkdir(exist_ok=True)
    (record.store / "info/grafts").write_text(f"{commits[3]} {commits[0]}\n")


def make_shallow(record: Record) -> None:
    (record.store / "shallow").write_text(record.commits(record.ref)[2] + "\n")


def plant_hook(record: Record) -> None:
    hook = record.store / "hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)


def edit_config(record: Record) -> None:
    with (record.store / "config").open("a") as file:
        file.write('[alias]\n\tx = "!true"\n')


def remove_head(record: Record) -> None:
    (record.store / "HEAD").unlink()


def empty_store(record: Record) -> None:
    shutil.rmtree(record.store / "objects")


def remove_store(record: Record) -> None:
    shutil.rmtree(record.store)


def remove_store_and_index(record: Record) -> None:
    shutil.rmtree(record.store)
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (record.home / name).unlink(missing_ok=True)
