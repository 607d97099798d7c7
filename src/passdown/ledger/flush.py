"""Committing the journal: one batch, one ``git fast-import``; whatever goes wrong, it stays journalled."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.ledger import envelope, git_log, intake, journal, statement, tips
from passdown.ledger.batch import (
    BATCH_TYPE,
    LOG,
    Listed,
    Manifest,
    RawBatch,
    epoch_of,
    facts_digest,
    ref_of,
    stream,
)
from passdown.ledger.check import read_manifest
from passdown.ledger.locks import exclusive
from passdown.ledger.projection import Head, Projection
from passdown.ledger.tidy import tidy
from passdown.ledger.writer import Writer, ensure_writer, known_writer
from passdown.workspace.git import GitError
from passdown.workspace.store_git import ensure_store, store_git

LIMIT = 20_000
"""Records in one batch."""
_WAIT_SECONDS = 10.0
_STALE_LOCK_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class _Base:
    """What the next batch of this writer builds on; ``segments`` is what that batch says is committed."""

    tip: str | None
    head: Head
    segments: dict[str, int]


def flush(home: Path, object_format: str, projection: Projection, *, current: bool = False) -> None:
    """Commit everything that is journalled; PassdownError where that cannot be done now.

    ``current``: the index was brought up a moment ago.
    """
    with exclusive(home / "flush.lock", _WAIT_SECONDS) as held:
        if not held:
            raise PassdownError("another process is committing the journal", "it stays journalled", EXIT_UNDECIDED)
        leftover = any(not each.done for each in journal.segments(home))
        journal.rotate(home)
        if not journal.segments(home):
            return
        store = ensure_store(home, object_format)
        left = True
        while left:
            try:
                left = _commit(home, store, projection, current=current and not leftover)
            except GitError:
                # A git process that outlived its killed parent may have moved our ref meanwhile: look again, once.
                left = _commit(home, store, projection, current=False)
            leftover = True
        tidy(home, store)


def _commit(home: Path, store: Path, projection: Projection, *, current: bool) -> bool:
    """One batch; whether some of the journal is left."""
    if not current or _own(projection.tips(), known_writer(home)) != _own(tips.seen(home), known_writer(home)):
        intake.bring_up(home, projection)
        current = False
    writer, base = _base(home, store, projection, current=current)
    segments = journal.segments(home)
    parts, left = _gather(segments, base.segments)
    if any(part.statements or part.facts for part in parts.values()):
        raw, manifest = build(writer, base.tip, base.head, parts)
        ref = ref_of(writer.id, manifest.epoch)
        commit = _fast_import(store, ref, raw, manifest.at)
        _remember(home, projection, ref, replace(raw, commit=commit))
    for segment in segments:
        if segment.name in parts:
            _close(segment, parts[segment.name])
    return left


def _close(segment: journal.Segment, part: journal.Part) -> None:
    """A segment committed to its end is done; a done one with nothing new in it goes."""
    if segment.done and not (part.statements or part.facts):
        segment.path.unlink()
    elif segment.done or segment.path.stat().st_size <= part.end:
        journal.finish(segment, part.end)


def _gather(segments: list[journal.Segment], committed: dict[str, int]) -> tuple[dict[str, journal.Part], bool]:
    """What to commit, by segment, up to LIMIT records; whether there is more."""
    parts: dict[str, journal.Part] = {}
    room = LIMIT
    for segment in segments:
        if room <= 0:
            return parts, True
        part = journal.read(segment, max(segment.offset, committed.get(segment.name, 0)), room)
        room -= len(part.statements) + len(part.facts)
        parts[segment.name] = part
    return parts, room <= 0


def build(writer: Writer, tip: str | None, head: Head, parts: dict[str, journal.Part]) -> tuple[RawBatch, Manifest]:
    """The batch's files, signed; its commit is not known yet."""
    statements = {each.statement: each for part in parts.values() for each in part.statements}
    facts = b"".join(line + b"\n" for part in parts.values() for line in part.facts)
    said = {name: _said(bytes(each.envelope)) for name, each in statements.items()}
    files = {name: bytes(each.envelope) for name, each in statements.items() if said[name]}
    predicates = [each for each in said.values() if each]
    at = max([*(part.at for part in parts.values()), *(each.at for each in predicates)])
    manifest = Manifest(
        writer=writer.id,
        public=writer.public,
        epoch=epoch_of(at, head.epoch),
        number=head.number + 1,
        previous=tip,
        sequence=head.ends_at,
        lamport=max([head.lamport + 1, *(each.clock.lamport for each in predicates)]),
        at=at,
        statements=[Listed(id=name, file=facts_digest(data)) for name, data in files.items()],
        facts=facts_digest(facts),
        fact_count=facts.count(b"\n"),
        segments={name: part.end for name, part in parts.items()},
        torn=sum(part.torn for part in parts.values()),
        keys={
            each.writer: statements[name].public
            for name, each in said.items()
            if each is not None and each.writer != writer.id
        },
    )
    payload = msgspec.json.encode(manifest)
    signature = writer.sign(envelope.pae(BATCH_TYPE, payload))
    sealed = envelope.seal(BATCH_TYPE, payload, [signature])
    parent = tip if head.epoch == manifest.epoch else None
    return RawBatch("", parent, sealed, facts, files), manifest


def _said(data: bytes) -> statement.Predicate | None:
    opened = envelope.read(data)
    read = statement.read(opened[1]) if opened else None
    return read.predicate if read else None


def _base(home: Path, store: Path, projection: Projection, *, current: bool) -> tuple[Writer, _Base]:
    """Our writer and its last batch. A writer whose chain is not as it left it is given up for a new one."""
    writer = ensure_writer(home)
    tip = _own_tip(home, store, projection, writer)
    if tip == "":
        writer = ensure_writer(home, instead_of=writer.id)
        tip = None
    if tip is None:
        return writer, _Base(None, Head(writer.id, "", 0, 0, 1), {})
    return writer, _Base(tip, projection.heads([tip])[tip], {} if current else _committed(store, tip))


def _committed(store: Path, tip: str) -> dict[str, int]:
    """How far the journal's segments are committed, as our last batch says; a flush may have died after it."""
    raw = next(git_log.read_batches(store, [(tip, None)]))
    opened = read_manifest(raw.manifest)
    return opened[2].segments if opened else {}


def _own(known: dict[str, str], writer: str | None) -> dict[str, str]:
    """Those of the tips that are this writer's own, not as fetched from elsewhere."""
    return {ref: tip for ref, tip in known.items() if ref.startswith(f"{LOG}{writer}/")}


def _own_tip(home: Path, store: Path, projection: Projection, writer: Writer) -> str | None:
    """The commit to build on; None before the first; "" where our chain is gone or not ours any more."""
    now, before = _own(projection.tips(), writer.id), _own(tips.seen(home), writer.id)
    if not now and not before:
        return None
    ref = max([*now, *before])
    tip, last = now.get(ref), before.get(ref)
    if tip != last and last is not None and not (tip and projection.leads_back(tip, last)):
        rewound = tip is None or projection.leads_back(last, tip)
        if not rewound or not _put_back(store, ref, last, tip):
            return ""
        tip = last
    return tip if tip and tip in projection.heads([tip]) else ""


def _put_back(store: Path, ref: str, commit: str, expected: str | None) -> bool:
    """Set our own rewound or removed ref to where we left it, if that is still here."""
    try:
        store_git(store).run("update-ref", ref, commit, expected or "")
    except GitError:
        return False
    return True


def _fast_import(store: Path, ref: str, raw: RawBatch, at: str) -> str:
    commands = stream(ref, raw, at)
    try:
        return _import_once(store, commands)
    except GitError:
        if not _drop_stale_lock(store / f"{ref}.lock"):
            raise
        return _import_once(store, commands)


def _import_once(store: Path, commands: bytes) -> str:
    return store_git(store).run("fast-import", "--quiet", "--date-format=raw", data=commands).decode().strip()


def _drop_stale_lock(path: Path) -> bool:
    """Remove our ref's lock if a process that died left it: we alone write this ref, and hold ``flush.lock``."""
    try:
        if time.time() - path.stat().st_mtime < _STALE_LOCK_SECONDS:
            return False
        path.unlink()
    except OSError:
        return False
    return True


def _remember(home: Path, projection: Projection, ref: str, raw: RawBatch) -> None:
    """Bring our own batch in without asking git again, and note the tip as seen."""
    with projection.adding():
        intake.take_in(projection, raw)
        intake.settle(projection)
        projection.set_tips({**projection.tips(), ref: raw.commit})
    tips.advance(home, {ref: raw.commit}, projection.leads_back)
