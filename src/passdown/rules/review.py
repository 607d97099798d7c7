"""Whether an answer is one that the policy asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from passdown.model.packet import Presence
from passdown.model.policy import Policy

SURE: tuple[Presence, ...] = ("unproven", "terminal", "forge", "fido")
"""How sure it is that a person decided, the least first."""
DIGITS = 16
"""Hex digits of a packet's digest that a comment names where CI goes by it: seven can be met in some hours."""
SHOWN: dict[Presence, str] = {
    "unproven": "no sign of a person",
    "terminal": "a person at a terminal",
    "forge": "a forge's word for it",
    "fido": "a hardware key",
}


def _as_said() -> bool:
    return True


class Given(Protocol):
    """What an answer says about who gave it."""

    @property
    def presence(self) -> Presence:
        """How sure it is that a person decided."""


def falls_short(
    policy: Policy, given: Given, *, by_runner: bool, signer: str | None = None, hardware: Callable[[], bool] = _as_said
) -> str | None:
    """Why the answer does not count where a review is required.

    ``by_runner``: of the person who ran the agent; ``signer``: who signed it, of those whom the base's policy lists;
    ``hardware``: whether with a hardware key, asked where the answer says so.
    """
    if not policy.review_required:
        return None
    if signer is None and lists_signers(policy):
        return "nobody whom the base's policy lists signed the answer (review.signers)"
    if policy.review_independent and by_runner:
        return "the answer is by the person who ran the agent: somebody else answers (review.independent)"
    presence = "unproven" if given.presence == "fido" and not hardware() else given.presence
    if SURE.index(presence) < SURE.index(policy.review_presence):
        return f"answered with {SHOWN[presence]}; {SHOWN[policy.review_presence]} is asked for (review.presence)"
    return None


def lists_signers(policy: Policy) -> bool:
    """Whether the policy names people whose signatures count."""
    return bool(policy.signers) or policy.allowed_signers is not None


def idle_settings(policy: Policy) -> list[str]:
    """Settings of [review] that decide nothing, since no review is required."""
    if policy.review_required:
        return []
    found = ["review.presence"] if policy.review_presence != "unproven" else []
    return [*found, *(["review.independent"] if policy.review_independent and policy.mode == "solo" else [])]
