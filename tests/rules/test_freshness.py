"""Freshness is a value with reasons (semantics: section 2)."""

from __future__ import annotations

import msgspec
import pytest

from passdown.model.evidence import EnvironmentFingerprint, Fingerprint
from passdown.rules.freshness import Today, freshness
from support.evidence import evidence

TREE = Fingerprint(digest="i", files=2, tier="whole-tree")
HERE = EnvironmentFingerprint(digest="e", parts={})
NOW = Today(inputs=TREE, environment=HERE, definition="d", age=60)


def today(**changes):
    return Today(**{name: getattr(NOW, name) for name in Today.__slots__} | changes)


@pytest.mark.parametrize(
    ("changes", "state", "because"),
    [
        ({}, "FRESH", []),
        ({"inputs": None}, "UNBOUND", ["not bound to this code: no fingerprint to compare"]),
        ({"definition": None}, "UNBOUND", ["not bound to this code: no fingerprint to compare"]),
        ({"inputs": Fingerprint(digest="x", files=2, tier="whole-tree"), "differing": ["a.py"]}, "STALE", ["a.py"]),
        ({"inputs": Fingerprint(digest="i", files=2, tier="declared")}, "STALE", ["its inputs differ"]),
        (
            {"inputs": Fingerprint(digest="x", files=9, tier="whole-tree"), "differing": list("abcdefg")},
            "STALE",
            [*"abcde", "and 2 more"],
        ),
        ({"definition": "other", "parts": ["conftest.py"]}, "DEFINITION-CHANGED", ["conftest.py"]),
        (
            {"environment": EnvironmentFingerprint(digest="x", parts={}), "places": ["python: 3.11 -> 3.12"]},
            "ENVIRONMENT-CHANGED",
            ["passed on that machine", "python: 3.11 -> 3.12"],
        ),
        ({"environment": None}, "ENVIRONMENT-CHANGED", ["passed on that machine"]),
        ({"ttl": 30.0}, "EXPIRED", ["ran 0.0 h ago, good for 0.0 h"]),
        ({"ttl": 61.0}, "FRESH", []),
        ({"ttl": 60.0, "age": -1.0}, "EXPIRED", ["its time lies in the future"]),
        ({"age": float("inf")}, "FRESH", []),
    ],
)
def test_state(changes, state, because):
    found = freshness(evidence(), today(**changes))
    assert (found.state, found.because) == (state, because)


def test_the_gravest_difference_is_named():
    everything = today(
        inputs=Fingerprint(digest="x", files=1, tier="whole-tree"),
        environment=EnvironmentFingerprint(digest="x", parts={}),
        definition="other",
        ttl=1.0,
        parts=["Makefile"],
    )
    assert freshness(evidence(), everything).state == "DEFINITION-CHANGED"


def test_a_failure_elsewhere_did_not_pass_on_that_machine():
    failed = msgspec.structs.replace(evidence(), result="FAILED")
    assert freshness(failed, today(environment=None)).because == []


def test_evidence_without_fingerprints_is_unbound():
    assert freshness(evidence(inputs=Fingerprint(digest="", files=0, tier="whole-tree")), NOW).state == "UNBOUND"
