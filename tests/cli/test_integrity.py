"""A6, A7: tests that a run weakened, skipped, deleted or wrote never count like tests that stood there before."""

from __future__ import annotations

import pytest

TESTS = """\
from app import double


def test_two():
    assert double(1) == 2


def test_six():
    assert double(3) == 6
    assert double(0) == 0
"""
POLICY = """\
[git]
base = "main"
[checks.tests]
run = "python -m pytest -q -p no:cacheprovider"
kind = "test"
acceptance = true
"""


@pytest.fixture
def code(repo):
    """A project whose tests pass, and a task that begins on it."""
    repo.write("app.py", "def double(x):\n    return x * 2\n").write("tests/test_app.py", TESTS)
    repo.write("conftest.py", "").write("passdown.toml", POLICY).commit("Project").branch("work")
    repo.passdown("start", "make double right", "--allow", "**").check()
    return repo


def check_of(repo):
    repo.passdown("check", "tests").check()
    return repo.passdown("pack", "--json").check().json()


def on_main(repo, change):
    """Somebody changes the base branch, and the work takes it in."""
    repo.git("checkout", "-q", "main")
    change(repo)
    repo.commit("Somebody else")
    repo.git("checkout", "-q", "work")
    repo.git("merge", "-q", "main")
    return repo


def only(packet):
    (one,) = [check for check in packet["checks"] if check["name"] == "tests"]
    return one


def test_untouched_tests_verify(code):
    packet = check_of(code)
    assert only(packet)["class"] == "VERIFIED"
    assert packet["integrity"] == []
    assert "COMPLETED" in code.passdown("outcome", "completed").check().out


WEAKENINGS = [
    ("assert double(1) == 2", "assert double(1)", "weakened"),
    ("    assert double(0) == 0\n", "", "weakened"),
    ("def test_two", "def helper_two", "skipped"),
    ("def test_two", "import pytest\n@pytest.mark.skip\ndef test_two", "skipped"),
    ("def test_two():\n    assert double(1) == 2\n", "", "deleted"),
]


@pytest.mark.parametrize(("old", "new", "kind"), WEAKENINGS)
def test_a_pass_on_weakened_tests_is_observed_and_holds_until_a_reviewer_accepts_exactly_that(code, old, new, kind):
    code.replace("tests/test_app.py", old, new)
    packet = check_of(code)
    assert packet["integrity"][0]["kind"] == kind
    assert only(packet)["class"] == "OBSERVED"
    assert only(packet)["result"] == "PASSED"
    assert only(packet)["not_verified"][0].startswith("tests-changed: 1 test")
    (item,) = [item for item in packet["items"] if item["kind"] == "tests"]
    assert (item["id"], item["blocks"]) == ("T1", "continuation")
    assert packet["hold"]["state"] == "HOLD"
    assert packet["hold"]["reasons"][0]["code"] == "tests-weakened"
    shown = code.passdown("show").check().out
    assert "TESTS CHANGED" in shown
    assert "PASSES ON THIS CODE    nothing yet" in shown
    assert code.passdown("resume").code == 1
    assert "nobody accepted" in code.passdown("outcome", "completed").check(1).out
    code.passdown("review", "--approve", "--accept-tests").check()
    assert code.passdown("show", "--json").check().json()["hold"]["state"] != "HOLD"
    assert code.passdown("status", "--json").check().json()["items"] == []
    check = only(code.passdown("show", "--json").check().json())
    assert (check["class"], bool(check["accepted"])) == ("OBSERVED", True), "accepted is not verified"
    assert "accepted by" in code.passdown("check", "--list").check().out
    assert "accepted" in code.passdown("outcome", "completed").check().out


def test_tests_in_a_file_that_no_runner_finds_are_skipped(code):
    code.git("mv", "tests/test_app.py", "tests/app_checks.py")
    code.write("tests/test_other.py", "def test_other():\n    assert 1 + 1 == 2\n")
    packet = code.passdown("pack", "--json", "--no-check").check().json()
    assert {(c["kind"], c["rule"]) for c in packet["integrity"]} >= {("skipped", "uncollected")}
    assert packet["hold"]["state"] == "HOLD"


def test_an_acceptance_does_not_cover_what_is_weakened_later(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    check_of(code)
    code.passdown("review", "--approve", "--accept-tests").check()
    code.replace("tests/test_app.py", "    assert double(0) == 0\n", "")
    packet = check_of(code)
    (item,) = [item for item in packet["items"] if item["kind"] == "tests"]
    assert item["id"] == "T2"
    assert [change["accepted"] is not None for change in packet["integrity"]] == [True, False]
    assert packet["hold"]["state"] == "HOLD"
    code.passdown("outcome", "completed").check(1)


def test_the_weakening_of_an_earlier_run_counts_in_a_later_one(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    check_of(code)
    code.commit("First run").write("notes.md", "second run\n")
    packet = check_of(code)
    assert only(packet)["class"] == "OBSERVED"
    assert packet["integrity"][0]["kind"] == "weakened"


def test_restored_tests_close_the_item_and_verify(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    check_of(code)
    code.replace("tests/test_app.py", "assert double(1)\n", "assert double(1) == 2\n")
    packet = check_of(code)
    assert [item for item in packet["items"] if item["kind"] == "tests"] == []
    assert [closing["id"] for closing in packet["closed"]] == ["T1"]
    assert only(packet)["class"] == "VERIFIED"
    assert packet["hold"]["state"] != "HOLD"


def test_a_waiver_names_the_item(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    check_of(code)
    code.passdown("review", "--approve", "--waive", "T1", "--because", "the value was wrong").check()
    packet = code.passdown("show", "--json").check().json()
    assert packet["integrity"][0]["accepted"]
    assert packet["hold"]["state"] != "HOLD"


def test_new_tests_verify_with_a_warning_and_completing_needs_a_look(code):
    code.append("tests/test_app.py", "\n\ndef test_ten():\n    assert double(5) == 10\n")
    packet = check_of(code)
    assert only(packet)["class"] == "VERIFIED"
    assert "self-authored: 2 existing pass, 1 new in this run" in only(packet)["warnings"]
    assert packet["hold"]["state"] != "HOLD"
    assert "2 existing pass, 1 new in this run" in code.passdown("show").check().out
    assert "new: test_ten" in code.passdown("outcome", "completed").check(1).out
    done = code.passdown("outcome", "completed", "--accept-tests", "--json").check().json()
    assert len(done["outcome"]["tests_accepted"]) == 1


def test_in_a_team_nobody_accepts_their_own(code):
    code.passdown("outcome", "abandoned", "--because", "begin again").check()
    code.git("checkout", "-q", "main")
    code.write("passdown.toml", 'mode = "team"\n' + POLICY).commit("Team").branch("team")
    code.passdown("start", "again", "--allow", "**").check()
    code.append("tests/test_app.py", "\n\ndef test_ten():\n    assert double(5) == 10\n")
    check_of(code)
    refused = code.passdown("outcome", "completed", "--accept-tests")
    assert refused.code != 0
    assert "reviewer" in refused.out + refused.err


def test_another_expected_value_is_shown_and_observed_and_does_not_hold(code):
    code.replace("app.py", "x * 2", "x * 3").replace("tests/test_app.py", "== 2", "== 3")
    code.replace("tests/test_app.py", "== 6", "== 9")
    packet = check_of(code)
    assert [change["kind"] for change in packet["integrity"]] == ["expected", "expected"]
    assert only(packet)["class"] == "OBSERVED"
    assert packet["hold"]["state"] != "HOLD"
    shown = " ".join(code.passdown("show").check().out.split())  # lines fold
    assert "expects another value: assert double(1) == 2 -> assert" in shown


def test_a_formatted_test_file_is_not_changed(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert (\n        double(1) == 2  # twice\n    )")
    packet = check_of(code)
    assert packet["integrity"] == []
    assert only(packet)["class"] == "VERIFIED"


def test_a_rewritten_snapshot_is_told(code):
    on_main(code, lambda repo: repo.write("tests/golden/a.txt", "one\n"))
    assert check_of(code)["integrity"] == [], "what the base brought is not this task's"
    code.write("tests/golden/a.txt", "error\n")
    packet = check_of(code)
    assert [(c["kind"], c["path"]) for c in packet["integrity"]] == [("regenerated", "tests/golden/a.txt")]
    assert only(packet)["class"] == "OBSERVED"


def test_what_somebody_else_changed_in_the_base_is_not_this_tasks(code):
    on_main(code, lambda repo: repo.replace("tests/test_app.py", "    assert double(0) == 0\n", ""))
    packet = check_of(code)
    assert packet["integrity"] == []
    assert only(packet)["class"] == "VERIFIED"


def test_settings_that_were_loosened_lower_the_check_until_accepted(code):
    on_main(code, lambda repo: repo.write("pytest.ini", "[pytest]\naddopts = -q --strict-markers\n"))
    code.write("pytest.ini", "[pytest]\naddopts = -q -k two\n")
    code.passdown("check", "--confirm", "tests").check()
    packet = code.passdown("pack", "--json").check().json()
    assert [change["kind"] for change in packet["integrity"]] == ["loosened"]
    assert only(packet)["class"] == "OBSERVED"
    assert any(reason.startswith("settings-loosened: pytest.ini") for reason in only(packet)["not_verified"])
    code.passdown("review", "--approve", "--accept-tests").check()
    assert only(code.passdown("show", "--json").check().json())["class"] == "VERIFIED"


def test_a_silenced_line_is_told_apart(code):
    code.replace("app.py", "return x * 2", "return x * 2  # type: ignore")
    packet = check_of(code)
    assert [(c["kind"], c["rule"]) for c in packet["integrity"]] == [("silenced", "types")]
    assert only(packet)["class"] == "VERIFIED"
    assert "1 inline ignores added (app.py)" in code.passdown("show").check().out


def test_a_secret_in_a_test_reaches_no_record(code):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    code.replace("tests/test_app.py", "assert double(1) == 2", f'assert double(1) != "{secret}"')
    text = code.passdown("pack", "--json", "--no-check").check().out
    assert "double(1)" in text
    assert secret not in text


@pytest.mark.parametrize("name", ["tests/test_\xe9.py", "tests/test app.py", "tests/test_\x1b[31m.py"])
def test_odd_names_are_told_whole(code, name):
    code.write(name, TESTS).commit("Odd")
    code.passdown("outcome", "abandoned", "--because", "begin again").check()
    code.passdown("start", "again", "--allow", "**").check()
    code.replace(name, "assert double(1) == 2", "assert double(1)")
    packet = code.passdown("pack", "--json", "--no-check").check().json()
    assert [change["kind"] for change in packet["integrity"]] == ["weakened"]
    assert "\x1b[31m" not in code.passdown("show").check().out


def test_check_says_what_the_pass_stands_on(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    out = " ".join(code.passdown("check", "tests").check().out.split())  # lines fold
    assert "tests counts as seen, not as verified: 1 test weakened" in out
    assert "assert double(1) == 2 -> assert double(1)" in out


def test_verify_decides_nothing_on_weakened_tests_before_somebody_accepts_them(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    answer = code.passdown("verify", "--checks").check(3).out
    assert "1 test weakened" in answer
    assert "--accept-tests" in answer
    code.passdown("pack", "--no-check").check()
    code.passdown("review", "--approve", "--accept-tests").check()
    code.passdown("resume").check()
    assert "HOLDS" in code.passdown("verify", "--checks").check().out


def test_the_reviewer_sees_it_in_one_line_and_each_behind_the_number(code):
    code.replace("tests/test_app.py", "assert double(1) == 2", "assert double(1)")
    check_of(code)
    shown = code.passdown("review").check().out
    assert "Tests          1 test weakened" in shown
    markdown = code.passdown("show", "--markdown").check().out
    assert "**Tests changed**" in markdown
    assert "Test changed in this task, restore it or say why" in code.passdown("show", "--brief").check().out
