"""`passdown check`: what runs, what is recorded, how it exits."""

from __future__ import annotations

import json
import re

import pytest

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture
def candidate(repo):
    """A repository that nobody declared a check for: its tests are only a candidate."""
    repo.write("Makefile", "test:\n\ttest -f ok\n")
    return repo.commit("Make")


def test_declared_checks_run_without_a_name(project):
    result = project.passdown("check").check(1)
    assert result.out.startswith("FAILED")
    project.write("src/ok", "")
    assert project.passdown("check").check().out.startswith("PASSED")


def test_the_document_is_the_evidence_and_live_output_goes_to_standard_error(repo):
    repo.write("passdown.toml", '[checks.loud]\nrun = "echo heard"\n').commit("Policy")
    result = repo.passdown("check", "loud", "--json").check()
    assert [(e["check"], e["result"], e["exit"]) for e in result.json()] == [("loud", "PASSED", 0)]
    assert "heard" in result.err


def test_any_command_is_recorded_as_seen(project):
    result = project.passdown("check", "--json", "--", "sh", "-c", "exit 3").check(1)
    assert result.json()[0]["exit"] == 3
    project.passdown("check", "--", "true").check()


def test_a_command_that_is_not_there_did_not_run(project):
    """A3: an ERROR is neither a pass nor a failure."""
    result = project.passdown("check", "--", "no-such-program-here")
    assert result.code in (1, 3)
    assert not result.out.startswith("PASSED")


def test_an_option_of_the_command_is_not_ours(project):
    assert project.passdown("check", "--", "echo", "--json").check().out.startswith("PASSED")


def test_an_unknown_name_is_one_line_with_those_known(project):
    result = project.passdown("check", "tests-typo").check(2)
    assert "ok" in result.err
    assert len(result.err.splitlines()) == 2


def test_a_candidate_runs_for_nobody_until_a_person_confirms_it(candidate):
    result = candidate.passdown("check").check(3)
    assert "--confirm" in result.err
    listed = candidate.passdown("check", "--list", "--json").check().json()
    assert listed
    assert not any(row["accepted"] for row in listed)


def test_a_person_confirms_once(candidate):
    name = candidate.passdown("check", "--list", "--json").json()[0]["definition"]["name"]
    candidate.passdown("check", "--confirm", name, env=AGENT).check(2)
    candidate.passdown("check", "--confirm", name).check(1)
    candidate.write("ok", "")
    assert candidate.passdown("check").check().out.startswith("PASSED")
    assert "confirmed" in candidate.passdown("log", "--json").out or candidate.passdown("check", "--list").out


def test_enter_confirms_at_a_terminal(candidate):
    candidate.write("ok", "")
    out = candidate.passdown_at_terminal("check", keys="\n").check().out
    assert "Candidate" in out
    assert "PASSED" in out
    assert candidate.passdown("check").check().out.startswith("PASSED")


def test_q_confirms_nothing_at_a_terminal(candidate):
    candidate.passdown_at_terminal("check", keys="q\n").check()
    candidate.passdown("check").check(3)


def test_nothing_known_says_how_to_begin(repo):
    assert "passdown.toml" in repo.passdown("check").check(3).err


def test_a_masked_failure_is_not_a_pass(project):
    """A1: the exit code decides, and a hidden one is said."""
    result = project.passdown("check", "--json", "--", "sh", "-c", "false | tail -1").check()
    assert result.json()[0]["warnings"]


def names(repo):
    return [row["definition"]["name"] for row in repo.passdown("check", "--list", "--json").check().json()]


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "confirmed"])
def test_a_changed_definition_runs_and_says_what_changed(candidate, declared):
    """What the definition leads to (a Makefile, a conftest) was edited: it still runs, and counts as seen."""
    candidate.write("ok", "")
    if declared:
        candidate.write("passdown.toml", '[checks.test]\nrun = "make test"\n').commit("Policy")
        candidate.branch("work")
    else:
        candidate.passdown("check", "--confirm", names(candidate)[0]).check()
    name = names(candidate)[0]
    candidate.append("Makefile", "\ttrue\n")
    if declared:
        candidate.commit("Change how it runs")
    out = candidate.passdown("check").check().out
    assert out.startswith("PASSED")
    assert "counts as seen, not as passed: Makefile" in out
    assert f"passdown check --confirm {name}" in out
    candidate.passdown("check", "--confirm", name).check()
    assert "counts as seen" not in candidate.passdown("check").check().out


def test_the_worktree_s_new_proposal_for_a_confirmed_name_can_be_confirmed(candidate):
    candidate.write("passdown.toml", '[checks.mine]\nrun = "test -f one"\n').write("one", "").write("two", "")
    candidate.passdown("check", "--confirm", "mine").check()
    candidate.write("passdown.toml", '[checks.mine]\nrun = "test -f two"\n')
    assert candidate.passdown("check", "mine", "--json").check().json()[0]["argv"][-1] == "test -f one"
    assert candidate.passdown("check", "--confirm", "mine", "--json").check().json()[0]["argv"][-1] == "test -f two"
    assert candidate.passdown("check", "--json").check().json()[0]["argv"][-1] == "test -f two"


def test_a_candidate_s_result_says_what_confirming_changes(candidate):
    name = names(candidate)[0]
    candidate.write("ok", "")
    out = candidate.passdown("check", name).check().out
    assert "nobody confirmed this check yet" in out
    assert f"passdown check --confirm {name}" in out
    assert "nobody confirmed" not in candidate.passdown("check", "--confirm", name).check().out


@pytest.mark.parametrize("command", ["echo heard", "printf heard"])
def test_the_result_comes_after_the_output_on_a_line_of_its_own(repo, command):
    repo.write("passdown.toml", f'[checks.loud]\nrun = "{command}"\n').commit("Policy")
    lines = repo.passdown_at_terminal("check").check().out.splitlines()
    assert lines[0] == "heard"
    assert lines[1].startswith("PASSED")
    result = repo.passdown("check").check()
    assert result.err == "heard\n"
    assert result.out.startswith("PASSED")


# repeating, copies, the base


def declared(repo, run, more=""):
    return repo.write("passdown.toml", f"[checks.tests]\nrun = {json.dumps(run)}\n{more}").commit("Policy")


def test_repeat_finds_a_flaky_check(repo, tmp_path):
    """FLAKY: a pass and a fail on one fingerprint, however often it passes later."""
    (tmp_path / "runs").mkdir()
    declared(repo, f"cd {tmp_path}/runs && mktemp XXXXXX && test $(ls | wc -l) -ne 2")
    result = repo.passdown("check", "tests", "--repeat", "3", "--no-base").check(1)
    assert result.out.startswith("FLAKY")
    assert "2 of 3 runs passed" in result.out
    later = repo.passdown("check", "tests").check(3)
    assert later.out.startswith("FLAKY"), "one pass more changes nothing"
    listed = repo.passdown("check", "--list", "--json").check().json()
    assert listed[0]["standing"]["result"] == "FLAKY"
    assert listed[0]["standing"]["class"] == "OBSERVED"
    repo.write("other.txt", "x\n")
    assert repo.passdown("check", "tests").check().out.startswith("PASSED"), "other code, another fingerprint"


def test_each_repeated_run_is_recorded(repo):
    declared(repo, "true")
    documents = repo.passdown("check", "tests", "--repeat", "2", "--json").check().json()
    assert [(one["result"], one["flaky"], one["origin"]) for one in documents] == [("PASSED", False, None)] * 2


def test_isolated_says_what_it_keeps_out(repo):
    declared(repo, "test -f README.md")
    result = repo.passdown("check", "tests", "--isolated").check()
    assert "ran on a frozen copy" in result.out
    document = repo.passdown("check", "tests", "--isolated", "--json").check().json()[0]
    assert document["isolated"] in {"mounted", "beside"}
    assert repo.passdown("check", "--list").check().out.count("passes on this code") == 1


@pytest.mark.parametrize(("before", "origin"), [("true", "REGRESSION"), ("false", "PRE-EXISTING")])
def test_a_failure_is_compared_with_the_base(repo, before, origin):
    """A14: "pre-existing" is measured, not said."""
    repo.write("run.sh", f"{before}\n")
    declared(repo, "sh run.sh").branch("work").write("run.sh", "exit 1\n")
    result = repo.passdown("check", "tests").check(1)
    assert origin in result.out
    document = repo.passdown("check", "tests", "--json").check(1).json()[0]
    assert document["origin"] == origin
    packet = repo.passdown("pack", "--no-check", "--json").check().json()
    (check,) = [one for one in packet["checks"] if one["name"] == "tests"]
    assert check["origin"] == origin
    assert [item["origin"] for item in packet["items"] if item["kind"] == "failure"] == [origin]
    assert repo.passdown("check", "tests", "--no-base", "--json").check(1).json()[0]["origin"] is None


def test_pack_runs_what_fails_first_and_compares_it(repo):
    repo.write("run.sh", "true\n")
    declared(repo, "sh run.sh").branch("work")
    repo.passdown("check").check()
    repo.write("run.sh", "exit 1\n")
    packet = repo.passdown("pack", "--json").check().json()
    assert [(one["result"], one["origin"]) for one in packet["checks"]] == [("FAILED", "REGRESSION")]


# whatever a check does


@pytest.mark.parametrize(
    ("run", "more", "code", "says"),
    [
        ("rm -rf src docs README.md", "", 3, "UNSTABLE"),
        ("sleep 600", 'timeout = "400ms"\n', 3, "ERROR"),
        ("setsid sleep 4717 & exit 0", "", 3, "PASSED"),
        ("read line < /dev/tty", "", 1, "FAILED"),
        ("yes | head -c 5000000", "", 0, "PASSED"),
        ("kill -9 $PPID", "", 3, "ERROR"),
        ("true", 'report = "r.xml"\n', 3, "INCONCLUSIVE"),
        ("printf '<!DOCTYPE a [<!ENTITY b \"c\">]><a/>' > r.xml", 'report = "r.xml"\n', 3, "INCONCLUSIVE"),
        ("printf 'not xml' > r.xml; exit 1", 'report = "r.xml"\n', 3, "INCONCLUSIVE"),
    ],
)
def test_a_clear_outcome_whatever_it_does(repo, run, more, code, says):
    declared(repo.write("src/a", "x\n"), run, more)
    result = repo.passdown("check", "tests", "--no-base")
    assert result.out.startswith(says), result
    assert result.code == (0 if says == "PASSED" else code)


def test_a_check_that_deletes_the_worktree_is_one_line(repo):
    declared(repo, 'rm -rf "$PWD"')
    result = repo.passdown("check", "tests")
    assert result.code in (2, 3)
    assert "bug in Passdown" not in result.err
    assert len(result.err.splitlines()) <= 4


def test_what_a_check_protects_is_the_base_s_when_verify_runs_it(repo):
    """A6, A7: a test that was weakened passes here, and fails as the base has it."""
    more = 'acceptance = true\nprotect = ["tests/**"]\n'
    repo.write("tests/t.sh", "grep -q good src/state\n").write("src/state", "good\n")
    declared(repo, "sh tests/t.sh", more).branch("work")
    repo.passdown("start", "Change the state", "--allow", "src/**", "--allow", "tests/**").check()
    repo.write("src/state", "bad\n").write("tests/t.sh", "exit 0\n").write("tests/more.sh", "x\n")
    before = repo.git("status", "--short")
    document = repo.passdown("verify", "--checks", "--json").check(1).json()
    (check,) = document["checks"]
    assert (check["result"], document["holds"]) == ("FAILED", False)
    assert "restored: as the base has them: tests/more.sh, tests/t.sh" in check["warnings"]
    assert repo.git("status", "--short") == before
    repo.write("src/state", "good too\n")
    (check,) = repo.passdown("verify", "--checks", "--json").json()["checks"]
    assert check["result"] == "PASSED"


def test_what_runs_by_itself_shows_how_long_at_a_terminal(repo):
    declared(repo, "test -f README.md")
    repo.passdown("check").check()
    repo.write("README.md", "other\n")
    shown = repo.passdown_at_terminal("pack").out
    assert re.search(r"running tests \.\.\. 0 s of about \d+ s", shown)
    repo.write("README.md", "again\n")
    assert "running tests ...\n" in repo.passdown("pack").err


def test_several_checks_are_announced_at_a_terminal(repo):
    declared(repo, "true", '[checks.more]\nrun = "true"\n')
    shown = repo.passdown_at_terminal("check").out
    assert "running tests   (1 of 2)" in shown
    assert "running more   (2 of 2)" in shown
