"""Every known check with its latest result; what the transcript shows is merged in."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import msgspec
import pytest

from passdown.checks.past import runs
from passdown.checks.quick import quick
from passdown.checks.run import adhoc, run_check
from passdown.model.session import Counts, SeenCheck
from support.desk import Desk
from support.plain_session import session_facts

POLICY = """
[checks.tests]
run = "grep -q good state"
kind = "test"
acceptance = true
[checks.lint]
run = ["true"]
kind = "lint"
"""


@pytest.fixture
def desk(repo):
    repo.write("passdown.toml", POLICY).write("state", "good\n").commit()
    return Desk(repo)


def seen(command, result, at="2099-01-01T00:00:00Z", **more):
    values = {
        "kind": "test",
        "masked": False,
        "counts": None,
        "failing": [],
        "edits_after": False,
        "exit": 0 if result == "PASSED" else 1,
    }
    return SeenCheck(at=at, command=command, result=result, **values | more)


def test_what_never_ran_is_said(desk):
    tests, lint = desk.stands()
    assert (tests.name, tests.result, tests.class_, tests.acceptance) == ("tests", None, None, True)
    assert (tests.freshness.state, tests.freshness.because) == ("UNBOUND", ["it never ran here"])
    assert (lint.command, lint.kind, lint.tier) == ("true", "lint", "whole-tree")


def test_nothing_is_written_by_looking(desk, repo):
    before = sorted(os.walk(repo.path(".git/passdown"))) if repo.path(".git/passdown").exists() else []
    desk.stands()
    after = [f for f in sorted(os.walk(repo.path(".git/passdown"))) if "salt" in f[2] or "pycache" in f[1]]
    assert after == [f for f in before if f in after] == []


def test_the_latest_run_counts(desk, repo):
    desk.check()
    repo.write("state", "bad\n")
    desk.check()
    stands = desk.stand()
    assert (stands.result, stands.class_, stands.freshness.state) == ("FAILED", "OBSERVED", "FRESH")
    assert stands.evidence == desk.records[-1].id


def test_the_order_is_declared_run_seen(desk):
    desk.facts = session_facts(checks=[seen("npm test", "PASSED"), seen("grep -q good state", "PASSED")])
    desk.record(run_check(desk.place, adhoc(["ls"]), now=desk.now()))
    assert [check.name for check in desk.stands()] == ["tests", "lint", "ls", "npm test"]
    assert [check.name for check in desk.stands()] == [check.name for check in desk.stands()]


def test_a_seen_run_of_a_declared_check_is_merged(desk):
    desk.facts = session_facts(
        checks=[seen("grep -q good state", "FAILED", counts=Counts(passed=2, failed=1), failing=["t"], record=7)]
    )
    tests = desk.stand()
    assert (tests.result, tests.class_, tests.observed_by) == ("FAILED", "OBSERVED", "transcript")
    assert (tests.tests, tests.failing, tests.record) == ({"passed": 2, "failed": 1}, ["t"], 7)
    assert tests.acceptance
    assert len(desk.stands()) == 2


@pytest.mark.parametrize(
    ("then", "shown"),
    [
        (seen("grep -q good state", "PASSED"), ("PASSED", "VERIFIED", "runner")),
        (seen("grep -q good state", "FAILED"), ("FAILED", "OBSERVED", "transcript")),
        (seen("grep -q good state", "FAILED", masked=True), ("PASSED", "VERIFIED", "runner")),
        (seen("grep -q good state", None), ("PASSED", "VERIFIED", "runner")),
        (seen("grep -q good state", "FAILED", at="2001-01-01T00:00:00Z"), ("PASSED", "VERIFIED", "runner")),
        (seen("grep -q good state", "FAILED", at=None), ("PASSED", "VERIFIED", "runner")),
    ],
)
def test_ours_or_the_transcripts(desk, then, shown):
    desk.check()
    desk.facts = session_facts(checks=[then])
    tests = desk.stand()
    assert (tests.result, tests.class_, tests.observed_by) == shown
    assert tests.seconds is not None


@pytest.mark.parametrize("by", ["agent-side", "hook"])
def test_a_pass_that_was_only_seen_hides_none_of_ours_on_this_code(desk, repo, by):
    ours = desk.check()
    seen_too = msgspec.structs.replace(ours, observed_by=by, started="2099-01-01T00:00:00Z")
    desk.record(seen_too)
    assert (desk.stand().class_, desk.stand().observed_by) == ("VERIFIED", "runner")
    desk.record(msgspec.structs.replace(seen_too, result="FAILED", exit=1))
    assert desk.stand().class_ == "OBSERVED", "a failure on the same code is shown"
    desk.records.clear()
    repo.write("state", "good 2\n")
    desk.record(ours)
    desk.record(
        msgspec.structs.replace(run_check(desk.place, desk.find("tests").definition, now=desk.now()), observed_by=by)
    )
    assert (desk.stand().class_, desk.stand().observed_by) == ("OBSERVED", by)


def test_a_seen_pass_is_shown_when_ours_is_old(desk, repo):
    desk.check()
    repo.write("state", "good 2\n")
    desk.facts = session_facts(checks=[seen("grep -q good state", "PASSED", edits_after=True)])
    tests = desk.stand()
    assert (tests.observed_by, tests.class_, tests.freshness.state) == ("transcript", "OBSERVED", "STALE")
    assert tests.freshness.because == ["edited after it ran"]


def test_a_candidate_gives_a_seen_run_its_name(repo):
    repo.write("go.mod", "module x\n").commit()
    desk = Desk(repo, facts=session_facts(checks=[seen("go test ./...", "PASSED")]))
    (check,) = desk.stands()
    assert (check.name, check.class_) == ("tests", "OBSERVED")
    assert check.warnings == ["candidate: go.mod, run in the session"]


def test_quick_reruns_what_ran_here_failing_first(desk, repo):
    assert quick(desk.stands(), desk.known()) == []
    desk.check("tests")
    desk.check("lint")
    assert quick(desk.stands(), desk.known()) == []
    repo.write("state", "bad\n")
    desk.check("tests")
    repo.write("state", "bad 2\n")
    assert [d.name for d in quick(desk.stands(), desk.known())] == ["tests", "lint"]
    assert {d.timeout for d in quick(desk.stands(), desk.known())} == {60.0}
    assert quick(desk.stands(), desk.known(), budget=0.0) == []


def test_quick_leaves_candidates_and_ad_hoc_commands_alone(repo):
    repo.write("go.mod", "module x\n").commit()
    desk = Desk(repo)
    desk.record(run_check(desk.place, adhoc(["ls"]), now=desk.now()))
    repo.write("x", "")
    assert quick(desk.stands(), desk.known()) == []


def test_quick_keeps_to_its_time(desk, repo):
    desk.check("tests")
    desk.check("lint")
    repo.write("state", "good 2\n")
    checks = [msgspec.structs.replace(c, seconds=40.0) for c in desk.stands()]
    assert [d.name for d in quick(checks, desk.known())] == ["lint"]


def test_runs_are_ordered_by_when_they_began(desk):
    late, early = datetime(2026, 2, 2, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    for moment in (late, early):
        desk.record(run_check(desk.place, desk.find("lint").definition, now=moment))
    assert [run.evidence.started[:10] for run in runs(desk.records, desk.trust)["lint"]] == ["2026-01-01", "2026-02-02"]
