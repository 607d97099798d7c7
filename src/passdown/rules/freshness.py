"""Whether a check's evidence still speaks of today's code (semantics: section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passdown.model.evidence import EnvironmentFingerprint, Evidence, Fingerprint, Freshness

SHOWN = 5
"""How many differing paths a reason names before it counts the rest."""


class Today(Struct, frozen=True):
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
    if today.inputs is None or not today.definition or not evidence.definition.digest or not evidence.inputs.digest:
        return Freshness(state="UNBOUND", because=["not bound to this code: no fingerprint to compare"])
    if evidence.definition.digest != today.definition:
        because = listed(today.parts) or ["the check's definition differs"]
        return Freshness(state="DEFINITION-CHANGED", because=because)
    if evidence.inputs != today.inputs:
        return Freshness(state="STALE", because=listed(today.differing) or ["its inputs differ"])
    if today.environment is None or evidence.environment.digest != today.environment.digest:
        passed = ["passed on that machine"] if evidence.result == "PASSED" else []
        return Freshness(state="ENVIRONMENT-CHANGED", because=passed + listed(today.places))
    if today.ttl is not None and not 0 <= today.age <= today.ttl:
        return Freshness(state="EXPIRED", because=[_expiry(today.age, today.ttl)])
    return Freshness(state="FRESH")


def listed(names: Sequence[str], shown: int = SHOWN) -> list[str]:
    """The first names, and how many there are besides."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]


def _expiry(age: float, ttl: float) -> str:
    if age < 0:
        return "its time lies in the future"
    return f"ran {age / 3600:.1f} h ago, good for {ttl / 3600:.1f} h"
