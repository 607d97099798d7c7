"""Bringing an index up to what the refs say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from passdown.ledger import git_log, statement, tips
from passdown.ledger.alarm import Alarm
from passdown.ledger.batch import RawBatch
from passdown.ledger.check import check
from passdown.ledger.projection import Head, Link, Projection


def bring_up(home: Path, projection: Projection, *, deep: bool = False) -> dict[str, str]:
    """Bring in what is new; the refs as they stand. Quick where nothing is. ``deep``: whatever was seen, too."""
    store = home / "store.git"
    now = git_log.tips(store)
    before = tips.seen(home)
    if not deep and projection.tips() == now and (now or not before):
        return now
    with projection.adding():
        known = [] if deep else list(projection.tips().values())
        wanted = sorted({*now.values(), *before.values()} - set(known))
        if wanted and store.is_dir():
            found = git_log.new_commits(store, wanted, known)
            if found.broken:
                projection.add_alarm(Alarm("unreadable", f"a chain cannot be walked: {found.broken}"))
            for raw in git_log.read_batches(store, found.commits):
                take_in(projection, raw)
        settle(projection)
        projection.set_tips(now)
    tips.advance(home, now, projection.leads_back)
    return now


def take_in(projection: Projection, raw: RawBatch) -> None:
    """Check one batch and bring it in."""
    checked = check(raw)
    if isinstance(checked, Alarm):
        projection.add_alarm(checked)
    else:
        projection.add(checked)


def settle(projection: Projection) -> None:
    """Decide the clocks and chains whose heads are here by now."""
    for link in projection.links():
        heads = projection.heads([link.previous] if link.previous else [])
        holds = link_holds(link, heads.get(link.previous or ""))
        if holds is not None:
            projection.settle_link(link, holds=holds)
    for clock in projection.clocks():
        seen = lamports(projection.heads(clock.seen), clock.seen)
        holds = statement.clock_holds(clock.lamport, seen)
        if holds is not None:
            projection.settle_clock(clock, holds=holds)


def lamports(heads: dict[str, Head], commits: Sequence[str]) -> list[int | None]:
    """The clocks of the commits, None for one that is not here."""
    return [heads[each].lamport if each in heads else None for each in commits]


def link_holds(link: Link, previous: Head | None) -> bool | None:
    """Whether a batch follows from the one before it; None where that one is not here."""
    if link.previous is None:
        return (link.number, link.sequence, link.lamport) == (1, 1, max(1, link.inner))
    if previous is None:
        return None
    if previous.writer != link.writer:
        return False
    expected = (previous.number + 1, previous.ends_at, max(previous.lamport + 1, link.inner))
    return (link.number, link.sequence, link.lamport) == expected
