"""Whether a check's evidence still speaks of today's code (semantics: section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passdown.model.evidence import EnvironmentFingerprint, Evidence, Fingerprint, Freshness

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Today:
    """A check's fingerprints now; None: could not be told. ``age``: seconds since the evidence's run began.

    ``differing`` names the input paths, ``parts`` the pieces of the definition, ``places`` the parts
    of the environment that differ from the evidence's.
    """

    inputs: Fingerprint | None
    environment: EnvironmentFingerprint | None
    definition: str | None
    age: float
    ttl: float | None = None
    differing: Sequence[str] = ()
    parts: Sequence[str] = ()
    places: Sequence[str] = ()


def freshness(evidence: Evidence, today: Today) -> Freshness:
    """The state with its reasons, the gravest difference first."""
    raise NotImplementedError
