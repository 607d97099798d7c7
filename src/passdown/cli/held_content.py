"""Whether the content that this clone's records speak of is held: trees, attachments, the packets before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from passdown.errors import PassdownError
from passdown.ledger.alarm import Alarm
from passdown.model.event import Record, Rescued, Resumed, TaskOpened
from passdown.model.packet import Packet
from passdown.packet import attachment
from passdown.workspace.git import GitError, zsplit
from passdown.workspace.keep import held
from passdown.workspace.store_git import store_git

if TYPE_CHECKING:
    from pathlib import Path

    from passdown.ledger.ledger import Ledger
    from passdown.workspace.place import Place

_WORDS = {"rescued": "rescue", "resumed": "resume", "task-opened": "start"}


def missing_content(place: Place, recorder: Ledger, records: Sequence[Record], damaged: Sequence[str]) -> list[Alarm]:
    """One alarm for each of this clone's own records that verify and speak of something that is not here.

    ``damaged``: names of objects that cannot be read.
    """
    store = place.home / "store.git"
    try:
        trees = held(store) if store.is_dir() else {}
    except GitError:
        return []  # the store cannot be read: that is told already
    known = {record.id for record in records}
    records = [record for record in records if record.here and record.trusted]
    unread = {tree for tree in trees if damaged and not _readable(store, tree, set(damaged))}
    found = [Alarm("content", text) for record in records for text in _trees(record, trees, unread)]
    return found + [alarm for record in records for alarm in _parts(recorder, record, known)]


def _readable(store: Path, tree: str, damaged: set[str]) -> bool:
    try:
        listed = store_git(store).run("ls-tree", "-r", "-t", "-z", tree)
    except GitError:
        return False
    return damaged.isdisjoint({tree, *(entry.split(b"\t")[0].split()[-1].decode("ascii") for entry in zsplit(listed))})


def _trees(record: Record, trees: dict[str, str], unread: set[str]) -> Iterator[str]:
    body = record.body
    tree = body.place.tree if isinstance(body, Packet) else None
    if isinstance(body, Rescued | Resumed | TaskOpened):
        tree = body.tree
    if not tree:
        return
    if tree not in trees:
        yield f"the content of {_name(record)} is not held any more (tree {tree[:12]})"
    elif trees[tree] != tree:
        yield f"the content of {_name(record)} was replaced: the ref of tree {tree[:12]} leads to {trees[tree][:12]}"
    elif tree in unread:
        yield f"the content of {_name(record)} cannot be brought back whole (tree {tree[:12]})"


def _parts(recorder: Ledger, record: Record, known: set[str]) -> Iterator[Alarm]:
    body = record.body
    if not isinstance(body, Packet):
        return
    if body.previous is not None and body.previous not in known:
        yield Alarm("gone", f"{_name(record)} follows packet {body.previous[:7]}, which is not in the record")
    for digest in body.attachments.values():
        try:
            attachment.read(recorder, digest, task=body.task.id)
        except PassdownError as error:
            yield Alarm("content", f"{_name(record)}: {error.message}")


def _name(record: Record) -> str:
    return f"{_WORDS.get(record.type, record.type)} {record.id[:7]}"
