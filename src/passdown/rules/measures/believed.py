"""Whose records are measured: this clone's, and those of whom it believes. What others tell is shown apart, uncounted.

Whoever can push a ref can write any record in any name, whole tasks too.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passdown.model.event import Record, Verdict
from passdown.model.evidence import Evidence
from passdown.rules.measures.parts import EvidencePart
from passdown.rules.trust import Trust


class Believed(Struct, frozen=True):
    """``records`` count; ``apart`` names the tasks that other clones alone tell of, each with a writer who does."""

    records: list[Record]
    apart: dict[str, str]


def believed(records: Iterable[Record], trust: Trust | None) -> Believed:
    """``trust`` None: this clone believes itself alone."""
    ours: list[Record] = []
    others: dict[str, str] = {}
    for record in records:
        if record.here or (trust is not None and _counts(record, trust)):
            ours.append(record)
        elif record.task is not None:
            others.setdefault(record.task, record.writer)
    known = {record.task for record in ours}
    return Believed(ours, {task: writer for task, writer in others.items() if task not in known})


def _counts(record: Record, trust: Trust) -> bool:
    """Whether another clone's record is as good as ours: vouched for, by CI, or an answer of a listed person."""
    if isinstance(record.body, Evidence | EvidencePart):
        return trust.counts(record)
    if trust.believes(record.writer):
        return True
    signed = isinstance(record.body, Verdict) and trust.sealed(record)
    return signed and trust.signer(record.id, record.at) is not None
