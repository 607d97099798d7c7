"""A task opened by hand: start, boundary, verify, hold, lift, outcome, log."""

from __future__ import annotations

import pytest

from support.repo import Repo

AGENT = {"CLAUDECODE": "1"}
WHOLE = {"COLUMNS": None}


def begin(repo, *args):
    return repo.passdown("start", "tidy the retry code", *args).check()


def test_start_opens_a_task_and_arms_its_boundary(project):
    out = begin(project, "--allow", "src/**", "--deny", "src/auth/**", "--check", "ok").out
    assert "src/**" in out
    assert "src/auth/**" in out
    status = project.passdown("status", "--json").check().json()
    assert status["armed"] is True
    assert status["boundary"]["source"] == "hand"
    assert status["boundary"]["version"] == 1
    assert status["task"]["goal"] == {
        "text": "tidy the retry code",
        "source": "user",
        "at": status["task"]["goal"]["at"],
    }
    assert status["task"]["done"] == ["ok"]


def test_start_says_which_check_it_does_not_know(project):
    result = project.passdown("start", "x", "--check", "nope").check(2)
    assert "'nope'" in result.err
    assert "ok" in result.err
    assert project.passdown("status", "--json").json()["task"] is None


@pytest.mark.parametrize("args", [["--allow", "!src"], ["--allow", ""], ["--deny", "../x"], ["--allow", "/etc/*/../x"]])
def test_a_bad_pattern_is_one_line_and_opens_nothing(project, args):
    result = project.passdown("start", "x", *args).check(2)
    assert "not a pattern" in result.err or "outside the worktree" in result.err
    assert project.passdown("status", "--json").json()["task"] is None


def test_verify_holds_and_does_not_hold(project):
    begin(project, "--allow", "src/**")
    project.write("src/retry.py", "WAIT = 5\n")
    assert project.passdown("verify").check().out.startswith("HOLDS")
    project.write("migrations/0001.sql", "DROP TABLE a;\n")
    answer = project.passdown("verify", "--json").check(1).json()
    assert answer["holds"] is False
    assert answer["decided"] is True
    assert [v["path"] for v in answer["violations"]] == ["migrations/0001.sql"]
    assert set(answer["violations"][0]) == {"path", "op", "rule", "because"}
    assert "migrations/0001.sql" in project.passdown("verify").check(1).out


def test_verify_judges_a_range_by_its_own_commits(project):
    begin(project, "--allow", "src/**")
    project.write("src/retry.py", "WAIT = 5\n").commit("Inside")
    project.write("docs/guide.md", "dirty\n")
    project.passdown("verify", "main..HEAD").check()
    project.commit("Outside")
    assert [v["path"] for v in project.passdown("verify", "main..HEAD", "--json").check(1).json()["violations"]] == [
        "docs/guide.md"
    ]


@pytest.mark.parametrize("args", [[], ["main..HEAD"]])
def test_without_a_boundary_verify_can_not_decide(project, args):
    answer = project.passdown("verify", *args, "--json").check(3).json()
    assert answer == {**answer, "holds": None, "decided": False, "boundary": None, "violations": []}
    assert answer["notes"]


def test_a_revision_that_is_not_here_can_not_be_decided(project):
    begin(project, "--allow", "src/**")
    answer = project.passdown("verify", "origin/main..HEAD", "--json").check(3).json()
    assert answer["holds"] is None
    assert any("git branch -a" in note for note in answer["notes"]), "no remote is known to fetch it from"
    project.git("remote", "add", "origin", project.root)
    notes = project.passdown("verify", "origin/main..HEAD", "--json").check(3).json()["notes"]
    assert "git fetch origin main" in notes


def test_a_shallow_clone_can_not_decide_and_says_the_command(project):
    project.write("src/retry.py", "WAIT = 9\n").commit("More")
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", project.root.parent / "shallow")
    clone = Repo(project.root.parent / "shallow")
    clone.passdown("start", "x", "--allow", "src/**").check()
    answer = clone.passdown("verify", "HEAD~1..HEAD", "--json").check(3).json()
    assert any("unshallow" in note for note in answer["notes"])


def test_verify_runs_the_acceptance_checks_on_request(project):
    begin(project, "--allow", "src/**", "--check", "ok")
    assert project.passdown("verify", "--checks").check(1).out.count("FAILED") == 1
    project.write("src/ok", "")
    answer = project.passdown("verify", "--checks", "--json").check().json()
    assert [(check["check"], check["result"]) for check in answer["checks"]] == [("ok", "PASSED")]


def test_a_boundary_sleeps_on_another_branch(project):
    begin(project, "--allow", "src/**")
    project.branch("other").write("docs/guide.md", "x\n")
    assert project.passdown("verify").check(3).out.startswith("COULD NOT DECIDE")


def test_the_boundary_by_hand(project):
    begin(project, "--allow", "src/**")
    project.passdown("boundary", "allow", "docs/guide.md", "--because", "the API changed").check()
    project.passdown("boundary", "deny", "src/client.py").check()
    shown = project.passdown("boundary", "show", "--json").check().json()["boundary"]
    assert [entry["path"] for entry in shown["allow"]] == ["src/**", "docs/guide.md"]
    assert [entry["path"] for entry in shown["deny"]] == ["src/client.py"]
    assert shown["version"] == 3
    assert shown["allow"][1]["because"] == "the API changed"
    project.passdown("boundary", "set", "tests/**").check()
    assert "tests/**" in project.passdown("boundary", "show").check().out


@pytest.mark.parametrize(
    ("path", "code", "rule"),
    [
        ("src/retry.py", 0, "B1"),
        ("docs/guide.md", 1, "outside"),
        ("src/auth/t.py", 1, "N1"),
        (".git/config", 1, "protected"),
    ],
)
def test_the_boundary_explains_a_path_to_agents_too(project, path, code, rule):
    begin(project, "--allow", "src/**", "--deny", "src/auth/**")
    answer = project.passdown("boundary", "explain", path, "--json", env=AGENT).check(code).json()
    assert (answer["path"], answer["inside"], answer["rule"]) == (path, code == 0, rule)
    project.passdown("boundary", "show", env=AGENT).check()


def test_without_a_word_it_is_shown_and_json_too(project):
    begin(project, "--allow", "src/**")
    assert project.passdown("boundary").check().out == project.passdown("boundary", "show").check().out
    assert (
        project.passdown("boundary", "--json").check().json() == project.passdown("boundary", "show", "--json").json()
    )
    assert (
        "--json comes after" in project.passdown("boundary", "--json", "deny", "x").check(2).json()["error"]["message"]
    )


def test_hold_and_lift(project):
    begin(project, "--allow", "src/**")
    project.passdown("hold", "--because", "the design changes").check()
    status = project.passdown("status", "--json").check().json()
    assert (status["hold"]["state"], status["hold"]["reasons"][0]["code"]) == ("HOLD", "held-by-person")
    project.passdown("status", "--exit-code").check(1)
    project.passdown("lift", "--because", "it stays").check()
    assert project.passdown("status", "--json").check().json()["hold"]["state"] == "GO"
    assert "nothing holds" in project.passdown("lift", "--because", "again").check(2).err


def test_outcome_completed_needs_every_acceptance_check(project):
    begin(project, "--allow", "src/**", "--check", "ok")
    refused = project.passdown("outcome", "completed", "--json").check(1).json()
    assert refused["outcome"] is None
    assert refused["missing"] == ["ok: never ran here"]
    project.passdown("outcome", "completed", "--anyway").check(2)
    project.write("src/ok", "")
    project.passdown("check", "ok").check()
    project.passdown("outcome", "completed").check()
    assert project.passdown("status", "--json").check().json()["task"] is None
    assert project.passdown("verify").check(3).out.startswith("COULD NOT DECIDE")


def test_a_pass_on_other_code_does_not_complete(project):
    """C13, A22."""
    begin(project, "--allow", "src/**", "--check", "ok")
    project.write("src/ok", "")
    project.passdown("check", "ok").check()
    project.write("src/retry.py", "WAIT = 7\n")
    assert "src/retry.py" in project.passdown("outcome", "completed").check(1).out
    project.passdown("outcome", "completed", "--anyway", "--because", "checked by eye").check()


@pytest.mark.parametrize("how", ["abandoned", "replanned", "rolled-back"])
def test_other_outcomes_need_no_check(project, how):
    begin(project, "--allow", "src/**", "--check", "ok")
    project.passdown("outcome", how, "--because", "the plan changed").check()
    assert how in project.passdown("log", env=WHOLE).check().out


def test_notes_and_who_made_them(project):
    begin(project, "--allow", "src/**")
    project.passdown("note", "decision", "cap at 60 s", "--over", "configurable", "--path", "src/retry.py").check()
    asked = project.passdown("note", "question", "one file or two?", "--architecture", env=AGENT).check()
    assert asked.out == "Noted Q1 (architecture).\n"
    project.passdown("note", "--ask-widen", "docs/guide.md", "--because", "the API changed", env=AGENT).check()
    items = project.passdown("status", "--json").check().json()["items"]
    assert {item["kind"] for item in items} == {"architecture", "widen"}
    question = next(item["id"] for item in items if item["kind"] == "architecture")
    assert "stays open" in project.passdown("note", "--answer", question, "two", env=AGENT).check().out
    assert question in [item["id"] for item in project.passdown("status", "--json").json()["items"]]
    project.passdown("note", "--answer", question, "one").check()
    assert question not in [item["id"] for item in project.passdown("status", "--json").json()["items"]]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("src/retry.py", False),
        ("./src/new.py", False),
        ("migrations/1.sql", True),
        ("docs/a.md", True),
        ("src/*", True),
    ],
)
def test_what_may_be_written_already_is_not_asked_for(project, path, asked):
    begin(project, "--allow", "src/**", "--deny", "migrations/**")
    told = project.passdown("note", "--ask-widen", path, "--because", "F1 needs it", "--json", env=AGENT).check().json()
    assert (told["statement"] is not None, told["item"] is not None, told["allowed"] is None) == (asked, asked, asked)
    assert bool(project.passdown("status", "--json").check().json()["items"]) is asked


@pytest.mark.parametrize(
    "args",
    [["note"], ["note", "decision"], ["note", "--ask-widen", "a"], ["note", "--answer", "Q9", "x"]],
    ids=" ".join,
)
def test_a_note_that_says_nothing_is_refused(project, args):
    begin(project, "--allow", "src/**")
    assert len(project.passdown(*args).check(2).err.splitlines()) <= 2


def test_a_note_s_secret_is_redacted_before_it_is_written(project):
    """J1."""
    begin(project, "--allow", "src/**")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    project.passdown("note", "decision", f"use {secret}").check()
    assert secret not in project.passdown("log", "--json").check().out
    assert "redacted" in project.passdown("log", env=WHOLE).check().out


def test_the_log_is_one_story_in_order(project):
    begin(project, "--allow", "src/**", "--check", "ok")
    project.passdown("note", "decision", "cap at 60 s").check()
    project.write("migrations/0001.sql", "x\n")
    project.passdown("verify").check(1)
    project.git("checkout", "--", "migrations")
    project.write("src/ok", "")
    project.passdown("check", "ok").check()
    project.passdown("outcome", "completed").check()
    out = project.passdown("log", env=WHOLE).check().out
    words = ["started", "decision", "does not hold: migrations/0001.sql", "ok PASSED", "completed"]
    positions = [out.index(word) for word in words]
    assert positions == sorted(positions)
    events = project.passdown("log", "--json").check().json()
    assert events[0]["what"] == "started"
    assert project.passdown("log", events[0]["task"][:6], env=WHOLE).check().out == out
    assert project.passdown("log", "--verify").check().out.startswith("The record holds")
