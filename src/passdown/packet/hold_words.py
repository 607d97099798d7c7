"""The hold's reasons in a few words, and which of them the screen says above."""

from __future__ import annotations

from passdown.model.packet import HoldReason, Packet
from passdown.packet import words
from passdown.packet.text import quote
from passdown.rules.hold_table import EVERYTHING

TITLES = {
    "goal-unknown": "no clear goal",
    "boundary-missing": "no boundary",
    "wrong-place": "this is another place",
    "integrity-broken": "the record does not verify",
    "content-missing": "sealed content is not here",
    "failure-without-plan": "a failure blocks and no step names it",
    "tests-weakened": "tests were weakened and nobody accepted that",
    "replan-cheaper": "replanning looks cheaper than continuing",
    "held-by-person": "a person stopped it",
    "handed-over": "waiting for the maintainer it was handed to",
    "rollback-pending": "a rollback was asked for",
    "readback-failed": "the read-back did not match",
    "boundary-violated": "something changed outside the boundary",
    "architecture-question": "an open architecture question",
    "contradicted-claims": "what was said is not so",
    "tree-drift": "a denied path changed since it was sealed",
    "base-drift": "the base changed the same lines",
    "scope-widened": "files outside the goal changed",
    "interrupted-dirty": "the run stopped in the middle",
    "review-missing": "a review is required",
    "review-mismatch": "the answer no longer fits",
    "boundary-too-wide": "very much may be written",
}
_ABOVE = frozenset(
    {
        "goal-unknown",
        "boundary-violated",
        "architecture-question",
        "contradicted-claims",
        "interrupted-dirty",
        "scope-widened",
        "failure-without-plan",
        "tests-weakened",
    }
)
"""Reasons whose facts stand on the packet's screen already, under their own labels."""

_BELOW = frozenset({"contradicted-claims", "scope-widened", "architecture-question", "base-drift", "goal-unknown"})
"""Reasons that a reviewer reads further down, in a line of their own."""


def below(reason: HoldReason) -> bool:
    """Whether the reviewer's screen and page leave it to a line further down; what holds stands at the top as well."""
    return reason.level != "hold" and reason.code in _BELOW


def in_short(packet: Packet, reason: HoldReason, today: str | None = None) -> str:
    """The reason as it stands at the top of the reviewer's screen: named alone where a line below tells it."""
    return title(reason) if reason.code in _BELOW else told(packet, reason, today)


def above(reason: HoldReason) -> bool:
    """Whether the screen says it under another label; "everything may be written" stands as what may be written."""
    everything = reason.code == "boundary-too-wide" and reason.fact.startswith(EVERYTHING)
    return reason.code in _ABOVE or everything


def told(packet: Packet, reason: HoldReason, today: str | None = None) -> str:
    """The reason's fact as a screen says it: of a false statement the check's own numbers, no command line."""
    false = words.false_claims(packet)
    if reason.code == "contradicted-claims" and false:
        more = f", and {len(false) - 1} more" if false[1:] else ""
        return f"said {quote(false[0].text)}, not so: {words.refuted(packet, false[0], today)}{more}"
    return words.spoken(reason.fact, today)


def title(reason: HoldReason) -> str:
    """The reason in a few words."""
    if reason.code == "interrupted-dirty" and reason.level == "hold":
        return "the run is still going"
    return TITLES.get(reason.code, reason.code.replace("-", " "))
