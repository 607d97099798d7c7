"""``passdown learn``: from misses of the record to an edit that a person takes or refuses."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from passdown.checks.policy_file import parse
from passdown.checks.template_file import parse_template
from passdown.cli.learned_files import instruction_files, put, stands
from passdown.model.event import Lifted
from passdown.model.learned import Learned
from passdown.model.packet import Hold, HoldReason, TriedDeadEnd
from passdown.model.policy import Policy
from passdown.packet.left_behind import rules
from passdown.packet.templates import ORDER, built_in
from passdown.rules.learn.proposals import Edit, Proposal
from passdown.store import open_ledger
from passdown.workspace.place import find_place
from support.packets import a_check, a_packet

LINE = '`pip install foo` was tried in vain: "no such package".'


@pytest.fixture
def missed(repo):
    """Three tasks that each met the same dead end, and held for a reason that a policy may turn down."""
    repo.write("a.py", "x = 1\n").commit("One")
    place = find_place(repo.root)
    ledger = open_ledger(place.home, place.object_format)
    for number in range(3):
        at = (datetime.now(UTC) - timedelta(days=9 - number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        reason = HoldReason(code="too-old", level="hold", fact="moved", reproduce="", lifts="")
        packet = a_packet(
            task=f"t{number}",
            run=f"r{number}",
            dead_ends=[TriedDeadEnd(id="X1", command="pip install foo", error="no such package", tries=3)],
            checks=[replace(a_check("web", "PASSED", command="npm test"), kind="test", warnings=["candidate"])],
            hold=Hold(state="HOLD", reasons=[reason]),
        )
        digest = ledger.seal(packet, at=at)
        lift = Lifted(task=f"t{number}", because="fine", by="@a", codes=["too-old"], packet=digest)
        ledger.append(lift, task=f"t{number}", at=at)
    return repo


def proposed(repo):
    listed = json.loads(repo.passdown("learn", "--window", "all", "--json").out)
    return {(one["kind"], one["subject"]): number for number, one in enumerate(listed["proposals"], 1)}


def test_what_repeats_is_proposed_with_its_denominator(missed):
    told = missed.passdown("learn", "--window", "all").out
    assert "dead-end   pip install foo   3 of 3 tasks" in told
    assert f"instructions: {LINE}" in told
    assert 'passdown.toml: [hold] too-old = "watch"' in told
    assert 'passdown.toml: [checks.web] run = "npm test"' in told
    assert missed.passdown("status").code == 0


def test_a_taken_edit_is_written_and_measured(missed):
    number = proposed(missed)["dead-end", "pip install foo"]
    missed.write("AGENTS.md", "# Ours\n")
    missed.passdown("learn", "--window", "all", "--take", str(number))
    assert (missed.root / "AGENTS.md").read_text() == (
        "# Ours\n\n<!-- passdown:begin -->\nLearned from earlier handoffs (`passdown learn`):\n"
        f"- {LINE}\n<!-- passdown:end -->\n"
    )
    listed = json.loads(missed.passdown("learn", "--window", "all", "--json").out)
    assert ("dead-end", "pip install foo") not in {(p["kind"], p["subject"]) for p in listed["proposals"]}
    (taken,) = listed["taken"]
    assert (taken["effect"]["before"]["missed"], taken["effect"]["after"]["chances"]) == (3, 0)
    assert (taken["effect"]["told"], taken["prune"]) == ("not shown", False)
    assert "Nothing to take out" in missed.passdown("learn", "--prune").out
    assert list(rules(lambda name: (missed.root / name).read_text() if name == "AGENTS.md" else "", ["a.py"])) == []


def test_policy_edits_go_into_the_policy(missed):
    for cause in (("lifted-hold", "too-old"), ("undeclared-check", "npm test")):
        assert missed.passdown("learn", "--window", "all", "--take", str(proposed(missed)[cause])).code == 0
    assert (missed.root / "passdown.toml").read_text() == (
        'version = 1\n\n[hold]\ntoo-old = "watch"\n\n[checks.web]\nrun = "npm test"\n'
    )


def test_refused_stays_refused(missed):
    cause = ("dead-end", "pip install foo")
    number = str(proposed(missed)[cause])
    assert missed.passdown("learn", "--window", "all", "--refuse", number).code == 2
    assert missed.passdown("learn", "--window", "all", "--refuse", number, "--because", "it works now").code == 0
    assert cause not in proposed(missed)
    assert not (missed.root / "AGENTS.md").exists()


def once_more(repo, task: str, *, days: float = 1, dead: bool = True):
    """A task more, that met the dead end once more or not."""
    place = find_place(repo.root)
    ledger = open_ledger(place.home, place.object_format)
    at = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    ends = [TriedDeadEnd(id="X1", command="pip install foo", error="no such package", tries=3)] if dead else []
    ledger.seal(a_packet(task=task, run=f"r-{task}", dead_ends=ends), at=at)
    ledger.close()


def test_what_was_refused_stays_refused_however_often_it_happens(missed):
    cause = ("dead-end", "pip install foo")
    missed.passdown("learn", "--window", "all", "--refuse", str(proposed(missed)[cause]), "--because", "no").check()
    for number in range(4):
        once_more(missed, f"again{number}")
    assert cause not in proposed(missed)
    assert missed.passdown("learn", "--window", "all", "--take", "9").code == 2


@pytest.mark.parametrize(("dead", "goes"), [(True, True), (False, False)])
def test_what_was_taken_and_did_not_help_may_go(missed, dead, goes):
    """Counted from when it was taken; what helped stays."""
    place = find_place(missed.root)
    ledger = open_ledger(place.home, place.object_format)
    body = Learned(
        kind="dead-end", subject="pip install foo", answer="taken", by="@a", misses=3, chances=3,
        files=["AGENTS.md"], text=LINE,
    )  # fmt: skip
    ledger.append(body, task=None, at=(datetime.now(UTC) - timedelta(days=5)).isoformat().replace("+00:00", "Z"))
    ledger.close()
    for number in range(20):
        once_more(missed, f"since{number}", dead=dead)
    told = missed.passdown("learn", "--prune").check().out
    (taken,) = missed.passdown("learn", "--prune", "--json").check().json()["taken"] or [{"prune": False}]
    assert taken["prune"] is goes
    assert (f"it may go: take out {LINE}" in told) is goes
    assert ("Nothing to take out" in told) is not goes


def test_taking_is_a_persons(missed):
    result = missed.passdown("learn", "--window", "all", "--take", "1", env={"CLAUDECODE": "1"})
    assert (result.code, "a person's decision" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({}, ["AGENTS.md"]),
        ({"CLAUDE.md": "# us\n"}, ["CLAUDE.md"]),
        ({"CLAUDE.md": "# us\n", "AGENTS.md": "# them\n"}, ["CLAUDE.md", "AGENTS.md"]),
        ({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "# them\n"}, ["AGENTS.md"]),
    ],
)
def test_the_block_stands_where_agents_read_it(repo, files, changed):
    for name, text in files.items():
        repo.write(name, text)
    assert instruction_files(repo.root) == changed


def test_a_link_out_of_the_repository_is_not_written_through(missed, tmp_path):
    outside = tmp_path / "theirs.md"
    outside.write_text("theirs\n")
    (missed.root / "AGENTS.md").symlink_to(outside)
    number = proposed(missed)["dead-end", "pip install foo"]
    assert missed.passdown("learn", "--window", "all", "--take", str(number)).code == 2
    assert outside.read_text() == "theirs\n"


def test_nothing_repeats_and_says_so(repo):
    repo.write("a.py", "x\n").commit("One")
    assert repo.passdown("learn").out == (
        "Nothing repeats often enough to be worth an edit, or all of it is answered.\n"
    )
    assert repo.passdown("learn", "--take", "1").code == 2


def test_status_says_so_once_a_week_to_a_person(missed):
    line = "Learn  3 things went wrong again and again: passdown learn"
    assert line not in missed.passdown("status").out
    assert line not in missed.passdown_at_terminal("status", env={"CLAUDECODE": "1"}).out
    assert line in missed.passdown_at_terminal("status").out
    assert line not in missed.passdown_at_terminal("status").out
    stamp = find_place(missed.root).home / "learn-told"
    week_ago = stamp.stat().st_mtime - 8 * 86400
    os.utime(stamp, (week_ago, week_ago))
    assert line in missed.passdown_at_terminal("status").out


def refused(path: str, template: str) -> Proposal:
    """A path that runs of a kind were refused and then given."""
    edit = Edit("template", json.dumps(path), "boundary", "allow", listed=True, template=template)
    return Proposal("false-denial", path, 3, 9, "resumed runs", 3, edit)


@pytest.mark.parametrize("name", ORDER)
def test_a_template_that_is_learned_from_becomes_the_teams_own(repo, name):
    (path,) = put(repo.root, Policy(), refused("src/retry.py", name))
    made = parse_template(path, (repo.root / path).read_text(), name=name)
    assert made.allow == ("src/retry.py",)
    assert replace(made, allow=()) == built_in(name)
    put(repo.root, Policy(templates=[made]), refused("src/other.py", name))
    assert parse_template(path, (repo.root / path).read_text(), name=name).allow == ("src/retry.py", "src/other.py")
    assert stands(repo.root, Policy(templates=[made]), refused("src/retry.py", name))


def test_a_policy_that_pyproject_holds_is_edited_there(repo):
    repo.write("pyproject.toml", "[project]\nname = 'x'\n[tool.passdown]\nmode = 'team'\n")
    edit = Edit("policy", '{ path = "x", because = "y" }', "boundary", "deny", listed=True)
    assert put(repo.root, Policy(), Proposal("stray-path", "x", 3, 9, "resumed runs", 3, edit)) == ["pyproject.toml"]
    assert [rule.path for rule in parse(None, (repo.root / "pyproject.toml").read_text()).deny] == ["x"]
    assert not (repo.root / "passdown.toml").exists()
