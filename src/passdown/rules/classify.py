"""The class of an outcome: VERIFIED, OBSERVED, CLAIMED or CONTRADICTED (semantics: section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passdown.model.evidence import Class, Evidence, Freshness
from passdown.model.packet import Outcome, PacketCheck
from passdown.model.session import Claim


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose records count as our own: this clone's writer, writers that an allowed signer vouched for, CI."""

    own: str | None = None
    vouched: frozenset[str] = frozenset()
    ci: frozenset[str] = frozenset()

    def believes(self, writer: str) -> bool:
        """Whether evidence of this writer may count as VERIFIED."""
        return writer == self.own or writer in self.vouched or writer in self.ci


@dataclass(frozen=True, slots=True)
class Standing:
    """What classifies one piece of evidence besides itself."""

    freshness: Freshness
    accepted: bool
    believed: bool
    flaky: bool = False


def evidence_class(evidence: Evidence, standing: Standing) -> tuple[Class, list[str]]:
    """The class, and why it is not VERIFIED."""
    raise NotImplementedError


def outcome(claim: Claim, checks: Sequence[PacketCheck]) -> Outcome:
    """The claim's class today: our own runs lift or refute what the transcript says."""
    raise NotImplementedError
