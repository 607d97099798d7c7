"""Past runs of each check: the evidence that still verifies, oldest first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passdown.model.event import Record
from passdown.model.evidence import Evidence
from passdown.rules.classify import RAN, Trust
from passdown.rules.instants import seconds
from passdown.rules.result import went_wrong


class Run(Struct, frozen=True):
    """One recorded run; ``source``: whose it is, None: this clone's."""

    record: Record
    evidence: Evidence
    believed: bool
    source: str | None = None

    @property
    def ended(self) -> float:
        """Seconds since 1970."""
        return (seconds(self.evidence.started) or 0.0) + self.evidence.seconds


def runs(records: Sequence[Record], trust: Trust) -> dict[str, list[Run]]:
    """Check name -> its runs in the order in which they began; what does not verify is left out.

    Ad hoc commands stand under ``$ name``: none of them passes for a check of that name.
    """
    found: dict[str, list[Run]] = {}
    for record in records:
        body = record.body
        if isinstance(body, Evidence) and record.trusted:
            name = f"$ {body.check}" if body.definition.source == "adhoc" else body.check
            found.setdefault(name, []).append(Run(record, body, trust.counts(record), trust.source(record)))
    for past in found.values():
        past.sort(key=lambda run: (seconds(run.evidence.started) or 0.0, run.record.order))
    return found


def flaky(run: Run, others: Sequence[Run]) -> bool:
    """Whether the check passed and failed on exactly what this run ran on, as far as we believe who says so."""
    same = [o.evidence for o in others if o.believed and o.evidence.observed_by in RAN and _same_ground(o, run)]
    if any(one.result == "FLAKY" for one in same):
        return True
    passed = any(one.result == "PASSED" for one in same)
    return passed and any(went_wrong(one.result, one.exit) for one in same)


def _same_ground(one_run: Run, other_run: Run) -> bool:
    one, other = one_run.evidence, other_run.evidence
    return (
        one.inputs == other.inputs
        and one.definition.digest == other.definition.digest
        and one.environment.digest == other.environment.digest
    )
