"""The class of an outcome: VERIFIED, OBSERVED, CLAIMED or CONTRADICTED (semantics: section 2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from passdown.model.evidence import Class, Evidence, Freshness
from passdown.model.packet import Outcome, PacketCheck
from passdown.model.session import Claim
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.trust import Trust as Trust  # noqa: PLC0414 - whose evidence it is belongs to its class

BARRING = ("masked", "shadowed", "replaced", "hidden-configuration", "not-on-disk", "definition-changed", "no-inputs")
"""Warnings under which a pass is never VERIFIED."""
OTHER_WRITER = "other-writer"
AD_HOC = "an ad hoc command"
RAN = ("runner", "ci")
"""Who ran a check as Passdown does; anybody else saw it."""
_FROM_TRANSCRIPT: dict[str, Class] = {
    "SUPPORTED": "OBSERVED",
    "STALE": "OBSERVED",
    "UNSUPPORTED": "CLAIMED",
    "CONTRADICTED": "CONTRADICTED",
}
_ALL_TESTS = lazy(
    r"(?:^|[.;:,!✅✓*\-]\s*|\b(?:and|now|so|that)\s+)(?:all|the|full|whole|entire|every)?\s*(?:of the\s+)?"
    r"(?:\d[\d,]*\s+)?(?:tests?|test suite|suite)\s+(?:now\s+|all\s+|still\s+)*"
    r"(?:pass(?:es|ed|ing)?|(?:is|are)\s+(?:green|passing))",
    re.IGNORECASE,
)
_NUMBER = lazy(r"\b(\d[\d,]*)\s+(?:tests?|passed|passing)\b|\b(\d+)\s*/\s*\d+\b", re.IGNORECASE)


class Standing(Struct, frozen=True):
    """What classifies one piece of evidence besides itself.

    ``accepted``: the definition that ran is the base policy's or one that a person confirmed. ``touched``: what the
    task did to the tests and settings that it stands on.
    """

    freshness: Freshness
    accepted: bool
    believed: bool
    flaky: bool = False
    touched: Sequence[str] = ()


def evidence_class(evidence: Evidence, standing: Standing) -> tuple[Class, list[str]]:
    """VERIFIED or OBSERVED, and every reason why it is not VERIFIED."""
    why: list[str] = []
    seen = evidence.observed_by not in RAN
    if not standing.believed:
        why.append("recorded by another writer that nobody vouched for")
    if seen:
        why.append("seen, not run by Passdown")
    if evidence.definition.source == "adhoc" or evidence.check != evidence.definition.name:
        why.append(AD_HOC)
    if evidence.result != "PASSED" or evidence.exit != 0 or evidence.signal is not None:
        why.append(f"ended as {evidence.result}")
    if evidence.changed_inputs or not evidence.tree_after or not (evidence.tree_before or seen):
        why.append("its inputs changed while it ran")
    if standing.flaky:
        why.append("passed and failed on the same code")
    if not standing.accepted:
        why.append("definition-changed" if evidence.definition.source == "policy" else "nobody confirmed it")
    if standing.freshness.state != "FRESH":
        why.append(standing.freshness.state)
    why += [code for code in BARRING if warned(evidence.warnings, code)]
    why += standing.touched
    return ("OBSERVED", why) if why else ("VERIFIED", [])


def warned(warnings: Sequence[str], code: str) -> bool:
    """Whether a warning of this code (``code`` or ``code: detail``) is among them."""
    return any(w == code or w.startswith(code + ":") for w in warnings)


def outcome(claim: Claim, checks: Sequence[PacketCheck], root: str = "") -> Outcome:
    """The claim's class today: our own runs lift or refute what the transcript says."""
    about = _about(claim, checks, root)
    lifting = [c for c in about if c.class_ == "VERIFIED" and _counts_agree(claim, c)]
    refuting = [c for c in about if _refutes(c)]
    if refuting:
        return _outcome(claim, "CONTRADICTED", refuting, f"{_said(refuting[0])} on this code")
    if lifting and len(lifting) == len(about):
        return _outcome(claim, "VERIFIED", lifting, f"{_said(lifting[0])} on this code")
    return _outcome(claim, _FROM_TRANSCRIPT[claim.class_], [], claim.because)


def _outcome(claim: Claim, class_: Class, checks: Sequence[PacketCheck], because: str) -> Outcome:
    evidence = [c.evidence or c.name for c in checks] or ([claim.check] if claim.check else [])
    return Outcome(text=claim.text, class_=class_, evidence=evidence, because=because, record=claim.record)


def _about(claim: Claim, checks: Sequence[PacketCheck], root: str) -> list[PacketCheck]:
    """The checks that decide the claim: the one of its command, else the whole suites for "all tests pass"."""
    if claim.check is not None:
        wanted = command.key(claim.check, root)
        return [c for c in checks if wanted is not None and command.key(c.command, root) == wanted]
    if claim.paths or not _ALL_TESTS.search(claim.text):
        return []
    return [c for c in checks if c.kind == "test" and c.result is not None and _whole_suite(c)]


def _whole_suite(check: PacketCheck) -> bool:
    """Whether the check names no part of the suite; an ad hoc or merely seen run is no suite of the project."""
    if check.observed_by not in RAN:
        return False
    found = command.judged(check.command)
    narrow = {"-k", "-m", "--lf", "--last-failed", "--deselect", "--ignore", "-t", "--grep", "-run"}
    return all(not any("/" in w or "::" in w or w.split("=")[0] in narrow for w in words[1:]) for words in found)


def _refutes(check: PacketCheck) -> bool:
    """A failure that our own runner saw on exactly this code."""
    return (
        check.result == "FAILED"
        and check.observed_by in RAN
        and check.freshness.state == "FRESH"
        and not warned(check.warnings, OTHER_WRITER)
        and not warned(check.warnings, "flaky")
    )


def _counts_agree(claim: Claim, check: PacketCheck) -> bool:
    """A claim that names a number must name the number that passed."""
    found = _NUMBER.search(claim.text)
    if not found:
        return True
    return int((found[1] or found[2]).replace(",", "")) == check.tests.get("passed")


def _said(check: PacketCheck) -> str:
    failed = check.tests.get("failed")
    counts = f", {failed} failed" if failed else ""
    return f"{check.name}: exit {check.exit}{counts}" if check.result == "FAILED" else f"{check.name} passes"
