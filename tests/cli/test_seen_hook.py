"""The hook after a shell call records the checks that the agent ran itself; `passdown check` then runs them."""

from __future__ import annotations

import pytest

from support.guarded import Guarded, boundary

POLICY = '[checks.tests]\nrun = "./t -q"\nkind = "test"\n[checks.lint]\nrun = "./lint"\n'
SAID = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}


@pytest.fixture
def guarded(repo):
    repo.write("passdown.toml", POLICY).write("t", "#!/bin/sh\n", mode=0o755).write("lint", "#!/bin/sh\n", mode=0o755)
    repo.commit().branch("work")
    return Guarded(repo, boundary(["**"]), branch="work")


def shell(guarded, line, said, **more):
    done = guarded.after("Bash", {"command": line}, tool_response=said, tool_use_id="call-1", **more)
    assert (done.returncode, done.stderr) == (0, b"")


def told(repo):
    rows = repo.passdown("check", "--list", "--json").check().json()
    standing = {row["definition"]["name"]: row["standing"] for row in rows}
    return {
        name: (one["result"], one["class"], one["observed_by"]) for name, one in standing.items() if one["observed_by"]
    }


def test_what_the_clients_tell_of_a_call_is_what_is_recorded(guarded):
    repo = guarded.repo
    guarded.ask("Bash", {"command": "./t -q"})
    shell(guarded, "./t -q", {**SAID, "stdout": "3 passed"}, duration_ms=120)
    assert told(repo) == {"tests": ("PASSED", "OBSERVED", "hook")}
    shell(guarded, "./t -q; echo done", SAID, duration_ms=5)
    assert told(repo)["tests"][0] == "INCONCLUSIVE", "the line's exit code is echo's"
    failed = {"hook_event_name": "PostToolUseFailure", "error": "Exit code 3\nboom", "is_interrupt": False}
    done = guarded.after("Bash", {"command": "./lint"}, tool_use_id="call-2", duration_ms=7, **failed)
    assert done.returncode == 0
    assert told(repo)["lint"] == ("FAILED", "OBSERVED", "hook")
    before = repo.passdown("log", "--json").check().json()
    for line, said in (
        ("cat t", SAID),
        ("./t -k one", SAID),
        ("./t -q", {**SAID, "backgroundTaskId": "b1"}),
    ):
        shell(guarded, line, said)
    assert repo.passdown("log", "--json").check().json() == before, "none of these ran a check to its end"
    shell(guarded, "./t -q", "3 passed\n")  # Codex tells no exit code
    assert told(repo)["tests"][0] == "INCONCLUSIVE"
    assert repo.passdown("check").check().out.count("PASSED") == 2
    assert {each[1] for each in told(repo).values()} == {"VERIFIED"}
