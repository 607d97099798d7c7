"""What an agent's hook saw is OBSERVED and queued; the runner runs it again."""

from __future__ import annotations

import msgspec
import pytest

from passdown.checks.quick import quick
from passdown.checks.seen import SeenCall, check_of, seen_by_hook
from passdown.rules.redact import Redactor
from support.desk import Desk

POLICY = '[checks.tests]\nrun = "grep -q good state"\nkind = "test"\n[checks.lint]\nrun = ["test", "-f", "state"]\n'


@pytest.fixture
def desk(repo):
    return Desk(repo.write("passdown.toml", POLICY).write("state", "good\n").commit())


def call(desk, command="grep -q good state", code=0, **more):
    return SeenCall(**{"command": command, "code": code, "started": desk.now(), "seconds": 0.4, **more})


def see(desk, seen):
    definition = check_of(desk.known(), seen, str(desk.place.root))
    desk.record(seen_by_hook(desk.view, definition, seen, Redactor()))


def test_it_is_observed_and_queued(desk):
    see(desk, call(desk))
    stands = desk.stand()
    assert (stands.result, stands.class_, stands.observed_by) == ("PASSED", "OBSERVED", "hook")
    assert [one.name for one in quick(desk.stands(), desk.known())] == ["tests"]
    desk.check()
    assert desk.stand().class_ == "VERIFIED"
    assert quick(desk.stands(), desk.known()) == []


@pytest.mark.parametrize(("code", "result"), [(1, "FAILED"), (127, "ERROR"), (137, "ERROR"), (None, "INCONCLUSIVE")])
def test_how_it_ended(desk, code, result):
    see(desk, call(desk, code=code))
    stands = desk.stand()
    assert (stands.result, stands.class_) == (result, "OBSERVED")


def test_a_seen_pass_after_a_failure_verifies_nothing(desk, repo):
    repo.write("state", "bad\n")
    assert desk.check().result == "FAILED"
    see(desk, call(desk))
    assert desk.stand().class_ == "OBSERVED"
    assert desk.stand().result == "PASSED", "what was seen; it is not flaky: nothing tells what it ran on"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("grep -q good state", "tests"),
        ("cd {root} && grep -q good state", "tests"),
        ("test -f state", "lint"),
        ("grep -q bad state", None),
        ("grep -q good state; true", None),
        ("cd sub && grep -q good state", None),
        ("echo 'grep -q good state'", None),
        ("'unclosed", None),
    ],
)
def test_which_check_it_was(desk, command, name):
    root = str(desk.place.root)
    found = check_of(desk.known(), call(desk, command.format(root=root)), root)
    assert (found.name if found else None) == name


def test_no_secret_reaches_the_record(desk):
    token = "ghp_" + "a1B2" * 9
    seen = call(desk, code=1, output=f"token {token}\n".encode())
    evidence = seen_by_hook(desk.view, desk.find("tests").definition, seen, Redactor())
    assert token not in msgspec.json.encode(evidence).decode()
