"""The record as the measures read it: each task's records, what hooks saw in it, and its resumed runs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.rules.measures.believed import believed
from passdown.rules.measures.parts import PARTS
from passdown.rules.measures.runs import ResumedRun, resumed_runs
from passdown.rules.measures.trail import Touch, Trail, trails

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from passdown.cli.context import Context
    from passdown.ledger.fact import Fact
    from passdown.ledger.ledger import Ledger
    from passdown.rules.trust import Trust


class Histories(Struct, frozen=True):
    """``found``: every task by its id."""

    found: dict[str, Trail]
    runs: list[ResumedRun]


def histories(context: Context) -> Histories:
    """Every task and every resumed run of the record, of this clone and of those that it believes."""
    with collector_resting():
        records = context.recorder.records(parts=PARTS)
        trust = context.trust if any(not record.here for record in records) else None
        told = touches(seen(context.recorder), context.recorder.writer, trust)
        found = trails(believed(records, trust).records, told)
        return Histories(found, resumed_runs(found))


@contextmanager
def collector_resting() -> Iterator[None]:
    """Hundreds of thousands of values come and stay: looking again and again which of them may go takes most time."""
    resting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if resting:
            gc.enable()


def seen(ledger: Ledger, tasks: Sequence[str] | None = None) -> list[Fact]:
    """What hooks saw of paths, in these tasks alone where any are named."""
    return [fact for kind in ("touch", "bypass") for fact in ledger.facts(kind=kind, tasks=tasks)]


def touches(facts: Iterable[Fact], mine: str, trust: Trust | None) -> Iterator[Touch]:
    """What the hooks of this clone saw, and of those that it believes (``trust`` None: itself alone)."""
    for fact in facts:
        if fact.writer not in {"", mine} and (trust is None or not trust.believes(fact.writer)):
            continue
        data = fact.data
        where = str(data.get("where") or fact.kind)
        session = data.get("session")
        yield Touch(fact.id, fact.task, fact.at, str(data.get("path") or ""), where, str(session or "") or None)
