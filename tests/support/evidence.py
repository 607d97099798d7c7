"""A perfect piece of evidence, to be spoiled one field at a time."""

from __future__ import annotations

from typing import Any

import msgspec

from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint, Evidence, Fingerprint

GOOD = Evidence(
    check="tests",
    definition=CheckDefinition(name="tests", run="pytest -q", kind="test", digest="d"),
    argv=["/bin/sh", "-c", "pytest -q"],
    cwd=".",
    result="PASSED",
    exit=0,
    signal=None,
    started="2026-03-01T10:00:00.000Z",
    seconds=2.0,
    output_digest="0" * 64,
    output_bytes=10,
    tail="3 passed",
    inputs=Fingerprint(digest="i", files=2, tier="whole-tree"),
    tree_before="1" * 40,
    tree_after="1" * 40,
    commit="2" * 40,
    environment=EnvironmentFingerprint(digest="e", parts={}),
    observed_by="runner",
    tests={"passed": 3},
)


def evidence(**changes: Any) -> Evidence:
    """``GOOD`` with changes."""
    return msgspec.structs.replace(GOOD, **changes)
