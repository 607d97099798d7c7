"""``log --verify`` finds whatever hands did to a record of two clones, and says what can still be trusted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support import tampering as by
from support.repo import Repo
from support.sessions import Sessions

_built: list[tuple[by.Record, Path]] = []


@pytest.fixture
def record(tmp_path_factory: pytest.TempPathFactory, scratch_home: Path, sessions: Sessions) -> by.Record:
    """The record as it was made; built once, put back for every test in the folder that its key is bound to."""
    if not _built:
        folder = tmp_path_factory.mktemp("clones")
        made = by.build(folder, sessions, scratch_home)
        shutil.copytree(made.home, folder / "whole", symlinks=True)
        _built.append((made, folder / "whole"))
    made, whole = _built[0]
    for path in (made.home, made.root / ".git/elsewhere", made.root / ".git/elsewhere.git"):
        if path.is_symlink():
            path.unlink()
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(whole, made.home, symlinks=True)
    return made


OBJECTS = {
    "commit": {"object", "unreadable"},
    "tree": {"object", "unreadable"},
    "folder": {"gone", "object"},
    "manifest": {"object", "unreadable"},
    "statement": {"gone", "object"},
    "facts": {"digest", "object"},
    "theirs": {"object", "unreadable"},
    "kept file": {"content", "object"},
    "kept folder": {"content", "object"},
    "kept tree": {"content", "object"},
}
TAMPERINGS = [
    *((by.flipped(what), codes) for what, codes in OBJECTS.items()),
    (by.swap_kept_file, {"content", "object"}),
    (by.swap_commit, {"object"}),
    (by.delete_object, {"chain", "object", "unreadable"}),
    (by.delete_kept_object, {"content", "object"}),
    (by.truncate_pack, {"content", "object", "unreadable"}),
    (by.remove_pack, {"content", "object", "unreadable"}),
    (by.rewind, {"rewound"}),
    (by.rewind_and_forget, {"rewound"}),
    (by.rewind_all_but_the_index, {"gone"}),
    (by.rewind_theirs, {"rewound"}),
    (by.remove_ref, {"gone"}),
    (by.remove_their_ref, {"gone"}),
    (by.remove_first_epoch, {"chain"}),
    (by.rename_ref, {"chain", "gone"}),
    (by.swap_refs, {"chain", "forked"}),
    (by.point_at_nothing, {"forked", "object", "unreadable"}),
    (by.scribble_ref, {"gone", "object"}),
    (by.point_at_a_file, {"forked", "unreadable"}),
    (by.pack_other_refs, {"rewound"}),
    (by.drop_batch, {"chain"}),
    (by.reorder_batches, {"chain"}),
    (by.repeat_batch, {"chain"}),
    (by.drop_last_of_theirs, {"chain"}),
    (by.edit_packet, {"digest"}),
    (by.edit_evidence, {"chain", "digest"}),
    (by.edit_verdict, {"chain", "digest"}),
    (by.edit_attachment, {"chain", "digest"}),
    (by.edit_outcome, {"chain", "digest"}),
    (by.edit_theirs, {"chain", "digest"}),
    (by.drop_statement, {"chain", "gone"}),
    (by.swap_statements, {"chain", "digest"}),
    (by.drop_person_signature, {"chain", "digest"}),
    (by.sign_by_another, {"chain", "digest"}),
    (by.edit_manifest, {"signature"}),
    (by.empty_manifest, {"unreadable"}),
    (by.sign_manifest_by_another, {"signature"}),
    (by.edit_facts, {"chain", "digest"}),
    (by.drop_facts, {"chain", "digest"}),
    (by.jump_clock, {"clock"}),
    (by.jump_batch_clock, {"chain"}),
    (by.skip_a_number, {"chain"}),
    (by.fork_own_chain, {"forked"}),
    (by.replace_own_chain, {"forked"}),
    (by.edit_journal, {"journal"}),
    (by.cut_journal, {"journal"}),
    (by.forge_journal_line, {"journal"}),
    (by.foreign_journal_line, {"journal"}),
    (by.edit_committed_journal_fact, {"journal"}),
    (by.in_index("UPDATE statements SET body = replace(body, 'approve', 'narrow') WHERE type = 'verdict'"), {"index"}),
    (by.in_index("DELETE FROM statements WHERE type = 'verdict'"), {"index"}),
    (by.in_index("UPDATE statements SET sound = 0 WHERE type = 'verdict'"), {"index"}),
    (by.in_index("UPDATE facts SET data = replace(data, 'README.md', 'src/b.py')"), {"index"}),
    (by.in_index("DELETE FROM facts"), {"index"}),
    (by.in_index("UPDATE batches SET lamport = 1048576"), {"index"}),
    (by.insert_into_index, {"index"}),
    (by.scribble_tips, {"store"}),
    (by.edit_tips, {"forked"}),
    (by.take_their_name, {"store"}),
    (by.other_private_key, {"store"}),
    (by.remove_kept, {"content"}),
    (by.swap_kept, {"content"}),
    (by.remove_rescued, {"content"}),
    (by.link_store, {"store"}),
    (by.link_home, {"store"}),
    (by.link_ref, {"store"}),
    (by.lend_objects, {"store"}),
    (by.replace_object, {"store"}),
    (by.graft, {"store"}),
    (by.make_shallow, {"store"}),
    (by.plant_hook, {"store"}),
    (by.edit_config, {"store"}),
    (by.remove_head, {"unreadable"}),
    (by.empty_store, {"unreadable"}),
    (by.remove_store, {"content", "gone"}),
    (by.remove_store_and_index, {"gone"}),
]


def test_an_untouched_record_holds(record: by.Record):
    repo = Repo(record.root)
    told = repo.passdown("log", "--verify").check().out
    assert told.startswith("The record holds: ")
    assert repo.passdown("log", "--verify", "--json").check().json()["alarms"] == []


@pytest.mark.parametrize("hand", [by.flip_pack, by.flip_pack_index], ids=lambda hand: hand.__name__)
def test_a_byte_of_a_pack_is_found_wherever_it_lies(record: by.Record, hand):
    hand(record)
    found = Repo(record.root).passdown("log", "--verify", "--json").check(1).json()
    assert "object" in {alarm["code"] for alarm in found["alarms"]}, found


@pytest.mark.parametrize(("hand", "codes"), TAMPERINGS, ids=[hand.__name__ for hand, _ in TAMPERINGS])
def test_what_hands_did_is_found_and_named(record: by.Record, hand, codes: set[str]):
    hand(record)
    repo = Repo(record.root)
    found = repo.passdown("log", "--verify", "--json").check(1).json()
    assert {alarm["code"] for alarm in found["alarms"]} == codes, found
    named = {name for alarm in found["alarms"] for name in alarm["statements"]}
    if found["trusted"] is not None:
        assert found["trusted"] >= found["statements"] - len(named)


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (by.edit_verdict, ["  digest: statement ", "    not to be trusted: ", "Trusted    6 of 14 statements"]),
        (by.rewind, ["  rewound: the chain of writer ", "Trusted    14 of 14 statements"]),
        (by.remove_kept, ["  content: the content of packet ", "Trusted    14 of 14 statements"]),
        (by.remove_head, ["  unreadable: the record is damaged", "Trusted    nothing until the store can be read"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_screen_says_what_is_broken_and_what_can_still_be_trusted(record: by.Record, hand, told: list[str]):
    hand(record)
    out = Repo(record.root).passdown("log", "--verify").check(1).out
    assert out.startswith("The record does not hold: ")
    for line in told:
        assert f"\n{line}" in out
