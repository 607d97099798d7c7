"""Alone on the main branch, with no remote: what a run committed is its own work, its policy too."""

from __future__ import annotations

import time

import pytest

FAILS = '[checks.tests]\nrun = "sh run.sh"\nacceptance = true\n'
LOOSE = {
    "the policy": ("passdown.toml", '[checks.tests]\nrun = "true"\nacceptance = true\n'),
    "the policy's inputs": ("passdown.toml", FAILS + 'inputs = ["docs/**"]\n'),
    "what the check runs": ("run.sh", "exit 0\n"),
}


@pytest.fixture
def project(repo):
    return (
        repo.write("run.sh", "grep -q good state.txt\n")
        .write("state.txt", "bad\n")
        .write("passdown.toml", FAILS)
        .commit()
    )


def commit_now(repo, message):
    repo.commit(message, at=time.time())


@pytest.mark.parametrize(("path", "text"), LOOSE.values(), ids=LOOSE)
def test_a_run_that_commits_a_looser_check_does_not_pass_by_it(project, sessions, path, text):
    session = sessions.claude(project.root, branch="main").user("make the tests pass")
    time.sleep(1.1)
    project.write(path, text)
    commit_now(project, "Loosen")
    session.bash("git commit -am Loosen", output="1 file changed").say("All tests pass.").save()
    project.passdown("check", "tests")
    for command in (("pack", "--json"), ("show", "--json")):
        checks = project.passdown(*command).check().json()["checks"]
        tests = next(check for check in checks if check["name"] == "tests")
        assert tests["class"] != "VERIFIED", (command, tests)


def test_a_policy_that_a_person_committed_afterwards_counts(project, sessions):
    project.delete("passdown.toml").commit("Without")
    sessions.claude(project.root, branch="main").user("hello").say("Hello.").save()
    time.sleep(6.5)
    project.write("passdown.toml", '[checks.tests]\nrun = "grep -q bad state.txt"\n')
    commit_now(project, "Declare the check")
    assert "counts as seen" not in project.passdown("check").check().out


def test_the_base_branch_stands_where_there_is_one(project, sessions):
    project.branch("work")
    sessions.claude(project.root, branch="work").user("go").say("Done.").save()
    project.write("state.txt", "good\n")
    project.passdown("check", "tests").check()
    (check,) = project.passdown("pack", "--json").check().json()["checks"]
    assert check["class"] == "VERIFIED"
