"""Nothing is lost to a packet's size: what is cut stands beside it in the record."""

from __future__ import annotations

import msgspec
import pytest

from passdown.errors import PassdownError
from passdown.ledger.ledger import Ledger
from passdown.model.event import Attachment
from passdown.model.packet import MAX_BYTES, FileChange, Goal, Item, Outcome, Packet
from passdown.packet import attachment
from passdown.packet.seal import seal
from passdown.packet.size import KEEP
from passdown.packet.terminal import terminal
from passdown.rules.fold import fold
from passdown.store import open_ledger
from passdown.workspace.place import Place, find_place
from passdown.workspace.snapshot import take
from support.packets import a_packet
from support.repo import Repo

MANY = 30_000


def changed(number: int) -> FileChange:
    return FileChange(
        path=f"gen/part{number % 97:02}/file{number:05}.py",
        status="added",
        added=1,
        removed=0,
        by=["shell"],
        inside=None,
    )


@pytest.fixture
def place(repo: Repo) -> Place:
    repo.write("a.py", "x = 1\n").commit("Code")
    return find_place(repo.root)


@pytest.fixture
def ledger(place: Place) -> Ledger:
    return open_ledger(place.home, place.object_format)


def sealed(place: Place, ledger: Ledger, **changes: object) -> tuple[Packet, Packet]:
    """The whole draft and what was sealed of it."""
    tree = msgspec.structs.replace(a_packet().place, tree=take(place).tree)
    draft = msgspec.structs.replace(a_packet(), place=tree, **changes)
    return draft, seal(place, ledger, draft)


def test_h4_of_30000_changed_files_the_packet_keeps_some_and_the_record_all(place: Place, ledger: Ledger) -> None:
    draft, packet = sealed(place, ledger, files=[changed(n) for n in range(MANY)])
    assert len(msgspec.json.encode(packet)) <= MAX_BYTES
    assert packet.files == draft.files[: KEEP["files"]]
    assert packet.truncated == {"files": MANY - KEEP["files"]}
    again = ledger.record(packet.packet or "").body
    assert attachment.whole(ledger, again) == msgspec.structs.replace(draft, attachments=packet.attachments)
    assert len(terminal(packet).splitlines()) <= 20


def test_a_text_of_any_length_is_cut_and_kept_whole(place: Place, ledger: Ledger) -> None:
    pasted = "trace \u00e9\n" * 60_000
    items = [Item(id="F1", kind="failure", text="t::1", blocks="merge", error=pasted)]
    said = [Outcome(text=pasted, class_="CLAIMED", evidence=[], because="nothing shows it")]
    task = msgspec.structs.replace(a_packet().task, goal=Goal(text=pasted, source="user"))
    draft, packet = sealed(place, ledger, items=items, outcomes=said, task=task)
    assert len(msgspec.json.encode(packet)) <= MAX_BYTES
    assert [item.id for item in packet.items] == ["F1"]
    whole = attachment.whole(ledger, packet)
    assert (whole.items, whole.outcomes, whole.task) == (draft.items, draft.outcomes, draft.task)


def test_a_packet_that_fits_has_no_attachment(place: Place, ledger: Ledger) -> None:
    draft, packet = sealed(place, ledger)
    assert packet == msgspec.structs.replace(draft, packet=packet.packet)
    assert attachment.whole(ledger, packet) is packet
    assert ledger.records(type="attachment") == []


def test_attachments_are_no_part_of_the_story_and_stand_in_the_record_once(ledger: Ledger) -> None:
    data = ("word " * 500_000).encode()
    digest = attachment.write(ledger, data, task="t1", at="2026-11-30T15:58:00Z")
    assert attachment.write(ledger, data, task="t1", at="2026-11-30T15:59:00Z") == digest
    assert [r.body.part for r in ledger.records(type="attachment") if isinstance(r.body, Attachment)] == [0, 1, 2]
    assert ledger.records() == []
    assert fold(ledger.records(type="attachment")) == {}
    assert attachment.read(ledger, digest, task="t1") == data
    assert ledger.verify() == []


def test_what_is_not_here_is_said(ledger: Ledger) -> None:
    part = Attachment(digest="ab" * 32, media_type="text/plain", part=1, parts=2, text="second")
    ledger.append(part, task="t1", at="2026-11-30T15:58:00Z")
    for digest in ("ab" * 32, "cd" * 32):
        with pytest.raises(PassdownError, match="not here as a whole"):
            attachment.read(ledger, digest, task="t1")
