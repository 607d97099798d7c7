"""What an agent's hook saw is OBSERVED and queued; the runner runs it again."""

from __future__ import annotations

import os
import time
from datetime import timedelta

import msgspec
import pytest

from passdown.checks.quick import quick
from passdown.checks.seen import SeenCall, ran_by, seen_by_hook
from passdown.model.session import Counts, SeenCheck
from passdown.rules.redact import Redactor
from support.desk import Desk
from support.facts import Told

POLICY = """\
[checks.tests]
run = "grep -q good state"
kind = "test"
[checks.lint]
run = ["test", "-f", "state"]
[checks.both]
run = "grep -q good state && test -f state"
[checks.suite]
run = "PYTHONPATH=src pytest -q"
"""


@pytest.fixture
def desk(repo):
    return Desk(repo.write("passdown.toml", POLICY).write("state", "good\n").commit())


def call(desk, command="grep -q good state", code=0, **more):
    time.sleep(0.02)  # the tick of the last write
    return SeenCall(**{"command": command, "code": code, "started": desk.now(), "seconds": 0.4, **more})


def see(desk, seen, name="tests"):
    definitions = [known.definition for known in desk.known()]
    (definition,) = [d for d in ran_by(seen, definitions, str(desk.place.root)) if d.name == name]
    desk.record(seen_by_hook(desk.view, definition, seen, Redactor()))


def test_it_is_observed_and_queued(desk):
    see(desk, call(desk))
    stands = desk.stand()
    assert (stands.result, stands.class_, stands.observed_by) == ("PASSED", "OBSERVED", "hook")
    assert stands.not_verified == ["seen, not run by Passdown"]
    assert [one.name for one in quick(desk.stands(), desk.known())] == ["tests"]
    desk.check()
    assert desk.stand().class_ == "VERIFIED"
    assert quick(desk.stands(), desk.known()) == []


@pytest.mark.parametrize(
    ("line", "code", "result"),
    [
        ("grep -q good state", 1, "FAILED"),
        ("grep -q good state", 127, "ERROR"),
        ("grep -q good state", 137, "ERROR"),
        ("grep -q good state", None, "INCONCLUSIVE"),
        ("grep -q good state; echo done", 0, "INCONCLUSIVE"),
        ("grep -q good state | tail -5", 0, "INCONCLUSIVE"),
        ("grep -q good state || true", 0, "INCONCLUSIVE"),
        ("grep -q good state &", 0, "INCONCLUSIVE"),
        ("! grep -q good state", 0, "INCONCLUSIVE"),
        ("! grep -q good state", 1, "INCONCLUSIVE"),
        ("grep() { true; }; grep -q good state", 0, "INCONCLUSIVE"),
        ("function grep { true; }; grep -q good state", 0, "INCONCLUSIVE"),
        ("PATH=/tmp/mine:$PATH grep -q good state", 0, "INCONCLUSIVE"),
        ("export LD_PRELOAD=x.so; grep -q good state", 0, "INCONCLUSIVE"),
        ("grep -q good state && test -f state", 0, "PASSED"),
        ("grep -q good state && test -f state", 1, "INCONCLUSIVE"),
        ("make clean && grep -q good state", 0, "PASSED"),
        ("make clean && grep -q good state", 2, "INCONCLUSIVE"),
        ("cd . && grep -q good state", 1, "FAILED"),
        ("FOO=1 timeout 60 grep -q good state 2>&1", 0, "PASSED"),
        ("bash -lc 'grep -q good state'", 1, "FAILED"),
    ],
)
def test_how_it_ended(desk, line, code, result):
    see(desk, call(desk, line, code))
    stands = desk.stand()
    assert (stands.result, stands.class_) == (result, "OBSERVED")


def test_an_assignment_of_the_check_itself_is_no_doubt(desk):
    see(desk, call(desk, "PYTHONPATH=src pytest -q"), "suite")
    assert desk.stand("suite").result == "PASSED"
    see(desk, call(desk, "PYTHONPATH=lib pytest -q"), "suite")
    assert desk.stand("suite").result == "INCONCLUSIVE"


def test_what_was_written_since_it_began_makes_it_unstable(desk, repo):
    began = call(desk)
    time.sleep(0.02)
    repo.write("state", "good\n")
    see(desk, began)
    stands = desk.stand()
    assert (stands.result, stands.class_) == ("UNSTABLE", "OBSERVED")


def test_nothing_tells_how_long_it_took_so_nothing_runs_by_itself(desk):
    see(desk, call(desk, seconds=None))
    assert desk.stand().seconds is None
    assert quick(desk.stands(), desk.known()) == []
    desk.check()
    see(desk, call(desk, seconds=None, code=1))
    assert [one.name for one in quick(desk.stands(), desk.known())] == ["tests"], "as long as the last time"


@pytest.mark.parametrize(
    ("shift", "masked", "result"), [(0.0, False, "FAILED"), (-60.0, False, "INCONCLUSIVE"), (0.0, True, "INCONCLUSIVE")]
)
def test_the_transcript_tells_the_end_that_a_payload_does_not(desk, shift, masked, result):
    seen = call(desk, code=None)
    see(desk, seen)
    desk.facts = told(desk, seen.started + timedelta(seconds=shift), masked=masked)
    stands = desk.stand()
    assert (stands.result, stands.observed_by, stands.class_) == (result, "hook", "OBSERVED")
    assert stands.freshness.state == "FRESH"


def test_the_transcript_tells_no_end_of_a_run_whose_inputs_changed(desk, repo):
    seen = call(desk, code=None)
    time.sleep(0.02)
    repo.write("state", "bad\n")
    see(desk, seen)
    desk.facts = told(desk, seen.started, exit=0, result="PASSED")
    assert desk.stand().result == "INCONCLUSIVE"


def told(desk, at, **more):
    kept = {"exit": 1, "result": "FAILED", "masked": False, "counts": Counts(failed=1), "failing": ["one"], **more}
    check = SeenCheck(at=at.isoformat(), command="grep -q good state", kind="test", edits_after=False, **kept)
    return msgspec.structs.replace(Told(desk.place.root).facts(), checks=[check])


def test_a_seen_pass_after_a_failure_verifies_nothing(desk, repo):
    repo.write("state", "bad\n")
    assert desk.check().result == "FAILED"
    see(desk, call(desk))
    assert desk.stand().class_ == "OBSERVED"
    assert desk.stand().result == "PASSED", "what was seen; it is not flaky: nothing tells what it ran on"


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("grep -q good state", ["tests"]),
        ("cd {root} && grep -q good state", ["tests"]),
        ("test -f state", ["lint"]),
        ("grep -q good state && test -f state", ["tests", "lint", "both"]),
        ("test -f state && grep -q good state", ["tests", "lint"]),
        ("uv run pytest", ["suite"]),
        ("grep -q bad state", []),
        ("cd sub && grep -q good state", []),
        ("cd /elsewhere && grep -q good state", []),
        ("env -C sub grep -q good state", []),
        ("uv run --directory sub pytest", []),
        ("docker compose exec app pytest", []),
        ("pytest -k one", []),
        ("echo state | xargs grep -q good", []),
        ("echo tests/one.py | xargs pytest", []),
        ("echo 'grep -q good state'", []),
        ("'unclosed", []),
    ],
)
def test_which_check_it_was(desk, command, names):
    root = str(desk.place.root)
    seen = SeenCall(command.format(root=root), 0, desk.now(), 0.1, cwd=os.path.realpath(root))
    assert [d.name for d in ran_by(seen, [known.definition for known in desk.known()], root)] == names


def test_no_secret_reaches_the_record(desk):
    token = "ghp_" + "a1B2" * 9
    seen = call(desk, code=1, output=f"token {token}\n".encode())
    evidence = seen_by_hook(desk.view, desk.find("tests").definition, seen, Redactor())
    assert token not in msgspec.json.encode(evidence).decode()
