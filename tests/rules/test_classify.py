"""VERIFIED has many conditions; each one alone keeps a pass from it (A1, A3, A8, A10, A13)."""

from __future__ import annotations

import msgspec
import pytest

from passdown.model.event import Record
from passdown.model.evidence import CheckDefinition, Freshness
from passdown.model.packet import Inputs, PacketCheck
from passdown.model.session import Claim
from passdown.rules.classify import Standing, Trust, evidence_class, outcome
from support.evidence import evidence

FRESH = Freshness(state="FRESH")
GOOD = Standing(FRESH, accepted=True, believed=True)
ADHOC = CheckDefinition(name="tests", run="pytest", digest="d", source="adhoc")


def test_all_conditions_together_are_verified():
    assert evidence_class(evidence(), GOOD) == ("VERIFIED", [])
    assert evidence_class(evidence(observed_by="ci"), GOOD) == ("VERIFIED", [])


@pytest.mark.parametrize("state", ["STALE", "ENVIRONMENT-CHANGED", "DEFINITION-CHANGED", "EXPIRED", "UNBOUND"])
def test_only_fresh_evidence_is_verified(state):
    standing = Standing(Freshness(state=state), accepted=True, believed=True)
    assert evidence_class(evidence(), standing) == ("OBSERVED", [state])


@pytest.mark.parametrize("result", ["FAILED", "ERROR", "SKIPPED", "NOT RUN", "INCONCLUSIVE", "UNSTABLE", "FLAKY"])
def test_only_a_pass_is_verified(result):
    assert evidence_class(evidence(result=result), GOOD)[0] == "OBSERVED"


@pytest.mark.parametrize(
    "changes",
    [
        {"exit": 1},
        {"exit": None},
        {"signal": 9},
        {"changed_inputs": ["a.py"]},
        {"tree_after": ""},
        {"tree_before": ""},
        {"observed_by": "transcript"},
        {"observed_by": "hook"},
        {"observed_by": "agent-side"},
        {"definition": ADHOC},
        {"check": "other"},
        {"warnings": ["masked: its exit code 0 does not vouch"]},
        {"warnings": ["masked"]},
        {"warnings": ["shadowed: pytest is ./pytest"]},
        {"warnings": ["hidden-configuration: conftest.py is ignored by git"]},
        {"warnings": ["definition-changed"]},
    ],
)
def test_evidence_that_is_spoiled_is_observed(changes):
    class_, why = evidence_class(evidence(**changes), GOOD)
    assert class_ == "OBSERVED"
    assert why


@pytest.mark.parametrize(
    "standing",
    [
        Standing(FRESH, accepted=False, believed=True),
        Standing(FRESH, accepted=True, believed=False),
        Standing(FRESH, accepted=True, believed=True, flaky=True),
    ],
)
def test_ground_that_is_not_ours_is_observed(standing):
    assert evidence_class(evidence(), standing)[0] == "OBSERVED"


def test_other_warnings_do_not_bar():
    warnings = ["left-running: sleep 9 was still running after the check and was ended", "self-authored"]
    assert evidence_class(evidence(warnings=warnings), GOOD)[0] == "VERIFIED"


def test_whom_we_believe():
    trust = Trust(own="me", vouched=frozenset({"friend"}), ci=frozenset({"signed by ci"}))
    assert [trust.believes(w) for w in ("me", "friend", "signed by ci", "stranger", "")] == [True, True] + [False] * 3
    assert not Trust().believes("")


@pytest.mark.parametrize(
    ("writer", "name", "observed_by", "counts"),
    [
        ("me", "any", "runner", True),
        ("friend", "any", "runner", True),
        ("stranger", "any", "runner", False),
        ("stranger", "signed by ci", "ci", True),
        ("stranger", "any", "ci", False),
        ("me", "any", "ci", False),
        ("friend", "any", "ci", False),
        ("stranger", "signed by ci", "runner", False),
    ],
)
def test_whose_evidence_counts(writer, name, observed_by, counts):
    """That CI ran it is CI's to say, in any record; and its key vouches for no clone."""
    trust = Trust(own="me", vouched=frozenset({"friend"}), ci=frozenset({"signed by ci"}))
    body = evidence(observed_by=observed_by)
    record = Record(id=name, type="evidence", task=None, at="", writer=writer, order=(1, writer, 1), body=body)
    assert trust.counts(record) == counts


# claims


def check(**changes):
    good = PacketCheck(
        name="tests",
        command="pytest -q",
        result="PASSED",
        class_="VERIFIED",
        freshness=FRESH,
        tier="whole-tree",
        inputs=Inputs(fingerprint="i", files=2),
        exit=0,
        seconds=2.0,
        tests={"passed": 212},
        observed_by="runner",
        evidence="e1",
        kind="test",
    )
    return msgspec.structs.replace(good, **changes)


FAILS = {"result": "FAILED", "class_": "OBSERVED", "exit": 1, "tests": {"passed": 211, "failed": 1}}
STALE = Freshness(state="STALE", because=["a.py"])


def claim(text="all tests pass", class_="UNSUPPORTED", **more):
    return Claim(at=None, text=text, class_=class_, because="said so", **more)


@pytest.mark.parametrize(
    ("class_", "expected"),
    [("SUPPORTED", "OBSERVED"), ("STALE", "OBSERVED"), ("UNSUPPORTED", "CLAIMED"), ("CONTRADICTED", "CONTRADICTED")],
)
def test_a_claim_without_our_evidence_keeps_its_class(class_, expected):
    assert outcome(claim("fixed the retry", class_), []).class_ == expected
    assert outcome(claim("fixed the retry", class_), [check()]).class_ == expected


@pytest.mark.parametrize(
    ("said", "checks", "expected"),
    [
        (claim(), [check()], "VERIFIED"),
        (claim("All 212 tests pass."), [check()], "VERIFIED"),
        (claim("All 213 tests pass."), [check()], "CLAIMED"),
        (claim("212/212 passed"), [check()], "CLAIMED"),
        (claim(check="pytest -q", class_="SUPPORTED"), [check()], "VERIFIED"),
        (claim(check="cd /repo && pytest", class_="STALE"), [check()], "VERIFIED"),
        (claim(check="pytest tests/test_a.py", class_="SUPPORTED"), [check()], "OBSERVED"),
        (claim(check="mypy", class_="SUPPORTED"), [check()], "OBSERVED"),
        (claim(), [check(class_="OBSERVED", freshness=STALE)], "CLAIMED"),
        (claim(), [check(command="pytest tests/unit")], "CLAIMED"),
        (claim(), [check(command="pytest -k retry")], "CLAIMED"),
        (claim(), [check(kind="types", command="mypy .")], "CLAIMED"),
        (claim(), [check(observed_by="transcript", class_="OBSERVED")], "CLAIMED"),
        (claim(), [check(), check(name="e2e", command="npm test", **FAILS)], "CONTRADICTED"),
        (claim(), [check(), check(name="e2e", command="npm test", class_="OBSERVED")], "CLAIMED"),
        (claim(), [check(**FAILS)], "CONTRADICTED"),
        (claim(class_="SUPPORTED", check="pytest -q"), [check(**FAILS)], "CONTRADICTED"),
        (claim(class_="SUPPORTED", check="pytest a.py"), [check(**FAILS)], "OBSERVED"),
        (claim(), [check(**FAILS, freshness=STALE)], "CLAIMED"),
        (claim(), [check(**FAILS, warnings=["other-writer: abc"])], "CLAIMED"),
        (claim(), [check(**FAILS | {"result": "FLAKY"})], "CLAIMED"),
        (claim("unit tests pass"), [check(**FAILS)], "CLAIMED"),
        (claim("the retry tests pass"), [check(**FAILS)], "CLAIMED"),
        (claim("I fixed the tests that pass"), [check(**FAILS)], "CLAIMED"),
        (claim("the types are fine"), [check(**FAILS)], "CLAIMED"),
        (claim(class_="CONTRADICTED", check="pytest -q"), [check()], "VERIFIED"),
    ],
)
def test_our_own_runs_lift_or_refute_a_claim(said, checks, expected):
    assert outcome(said, checks, "/repo").class_ == expected


def test_a_refuted_claim_says_what_our_run_showed():
    found = outcome(claim(), [check(**FAILS)])
    assert found.because == "tests: exit 1, 1 failed on this code"
    assert found.evidence == ["e1"]
