"""Evidence as others read it: an in-toto Statement with the predicate test-result/v0.1.

It has no place for exit code, freshness or environment; what it cannot say is left to our own predicate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from passdown.model.evidence import Evidence
from passdown.rules import command
from passdown.rules.classify import BARRING, warned

STATEMENT = "https://in-toto.io/Statement/v1"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"


def test_result(evidence: Evidence, commit: str | None) -> bytes:
    """The statement's bytes. ``commit``: the commit whose files are exactly what it ran on, None: there is none."""
    subject = [{"name": "tree", "digest": {"gitTree": evidence.tree_before}}]
    if commit is not None:
        subject.append({"name": "commit", "digest": {"gitCommit": commit}})
    predicate: dict[str, Any] = {"result": outcome(evidence), "configuration": _configuration(evidence)}
    if evidence.ci:
        predicate["url"] = evidence.ci
    if evidence.failing:
        predicate["failedTests"] = list(evidence.failing)
    statement = {"_type": STATEMENT, "subject": subject, "predicateType": TEST_RESULT, "predicate": predicate}
    return msgspec.json.encode(statement)


def outcome(evidence: Evidence) -> str:
    """PASSED, WARNED (it passed, and something says that this is worth less) or FAILED: everything else."""
    if evidence.result != "PASSED" or evidence.exit != 0 or evidence.signal is not None:
        return "FAILED"
    doubt = any(warned(evidence.warnings, code) for code in BARRING) or bool(evidence.changed_inputs)
    confirmed = evidence.definition.source in {"policy", "confirmed"}
    return "PASSED" if confirmed and not doubt else "WARNED"


def _configuration(evidence: Evidence) -> list[Mapping[str, Any]]:
    """The check's definition, inputs and environment by their digests."""
    about = {"check": evidence.check, "command": command.text(evidence.definition.run), "exit": evidence.exit}
    inputs = {"tier": evidence.inputs.tier, "files": evidence.inputs.files}
    return [
        {"name": "definition", "digest": {"sha256": evidence.definition.digest}, "annotations": about},
        {"name": "inputs", "digest": {"sha256": evidence.inputs.digest}, "annotations": inputs},
        {"name": "environment", "digest": {"sha256": evidence.environment.digest}},
    ]
