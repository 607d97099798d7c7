"""What this clone's next batch builds on, and what to do where its chain is not as it was left."""

from __future__ import annotations

from pathlib import Path

import msgspec

from passdown.ledger import git_log, intake, journal, tips
from passdown.ledger.batch import LOG
from passdown.ledger.check import read_manifest
from passdown.ledger.projection import Head, Projection
from passdown.ledger.writer import Writer, ensure_writer, known_writer
from passdown.workspace.git import GitError
from passdown.workspace.store_git import store_git


class Base(msgspec.Struct, frozen=True):
    """What the next batch of this writer builds on; ``segments`` is what that batch says is committed."""

    tip: str | None
    head: Head
    segments: dict[str, int]


def base(home: Path, store: Path, projection: Projection, *, current: bool, doubt: bool) -> tuple[Writer, Base]:
    """Our writer and its last batch. A writer whose chain is not as it left it is given up for a new one.

    ``current``: the index was brought up a moment ago, and no flush died. ``doubt``: our tip may be damaged.
    """
    mine = known_writer(home)
    if not current or _own(projection.tips(), mine) != _own(tips.seen(home), mine):
        intake.bring_up(home, projection)
        current = False
    writer = ensure_writer(home)
    tip = _own_tip(home, store, projection, writer)
    if tip == "" or (doubt and tip and not _whole(store, tip)):
        writer, tip = _begin_anew(home, projection, writer), None
    if tip is None:
        return writer, Base(None, Head(writer.id, "", 0, 0, 1), {})
    return writer, Base(tip, projection.heads([tip])[tip], {} if current else _committed(store, tip))


def _committed(store: Path, tip: str) -> dict[str, int]:
    """How far the journal's segments are committed, as our last batch says; a flush may have died after it."""
    raw = next(git_log.read_batches(store, [(tip, None)]))
    opened = read_manifest(raw.manifest)
    return opened[2].segments if opened else {}


def _begin_anew(home: Path, projection: Projection, lost: Writer) -> Writer:
    """A new writer in place of one whose chain is not as it left it; what the index still holds of it is journalled."""
    lines = [msgspec.json.encode(each) for each in projection.chain(lost.id)]
    if lines:
        journal.write(home, b"\n".join(lines), sync=True)
        journal.rotate(home)
    return ensure_writer(home, instead_of=lost.id)


def _whole(store: Path, tip: str) -> bool:
    git = store_git(store)
    return git.ok("cat-file", "commit", tip) and git.ok("ls-tree", "-r", tip)


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
