"""A real session file in a real repository, through the commands: pack, show, resume, pack again."""

from __future__ import annotations

import re

import pytest

from support.repo import Repo
from support.sessions import Sessions

GOAL = "make test_retry pass; keep client.py's public API; don't touch migrations"
BACKOFF = "tests/test_retry.py::test_backoff"
FAILED = f"FAILED {BACKOFF} - AssertionError: 3 != 5\n1 failed, 211 passed in 6.10s"


@pytest.fixture(params=["claude", "codex"])
def agent(request: pytest.FixtureRequest) -> str:
    return request.param


def begin(agent: str, sessions: Sessions, repo: Repo):
    return getattr(sessions, agent)(repo.root, branch="retry-billing")


@pytest.fixture
def work(repo: Repo, sessions: Sessions, agent: str) -> Repo:
    repo.write("src/retry.py", "def wait(n):\n    return n\n").write("src/client.py", "def get(url):\n    return url\n")
    repo.write("tests/test_retry.py", "from src.retry import wait\n\ndef test_backoff():\n    assert wait(1) == 5\n")
    repo.write("migrations/0001.sql", "create\n").commit("Code").branch("retry-billing")
    session = begin(agent, sessions, repo).user(GOAL)
    listed = session.todos if agent == "claude" else session.plan
    listed(("parse Retry-After in retry.py", "completed"), ("handle the cap in client.py", "pending"))
    session.edit("src/retry.py", "return n", "return n + 2").user("use the server's Retry-After, cap 60 s")
    session.edit("src/client.py", "return url", "return (url").bash("pytest -q", exit=1, output=FAILED)
    session.say("All 212 tests pass.").save()
    return repo


def test_a_first_pack_needs_no_set_up_and_says_what_matters(work: Repo, agent: str) -> None:
    look = work.passdown("pack", "--dry-run", "--json").json()
    assert look["packet"] is None
    screen = work.passdown("pack").out
    for text in (
        GOAL,
        f"F1 {BACKOFF}",
        "AssertionError: 3 != 5",
        "src/client.py:2 does not parse",
        'x "All 212 tests pass."',
    ):
        assert text in " ".join(screen.split())
    allowed = "NEXT MAY WRITE src/client.py src/retry.py tests/test_retry.py +1 new file beside them"
    assert allowed in " ".join(screen.split())
    assert "migrations/** (you)" in screen
    assert len(screen.splitlines()) <= 20
    assert not re.search(r"\d{4}-\d\d-\d\dT|record \d", screen)
    assert len(work.passdown("show", "--brief").out) <= 480 * 4
    packet = work.passdown("show", "--json").json()
    assert packet["run"]["agent"] == agent
    assert [o["class"] for o in packet["outcomes"]] == ["CONTRADICTED"]
    assert [(i["id"], i["kind"]) for i in packet["items"]] == [("F1", "failure"), ("F2", "failure"), ("S1", "step")]
    way = {"claude": ["tool"], "codex": ["patch"]}[agent]
    assert {f["path"]: f["by"] for f in packet["files"]} == {"src/client.py": way, "src/retry.py": way}
    assert packet["hold"]["state"] == "WATCH"


def test_the_next_run_gets_a_brief_and_what_it_does_outside_is_found(
    work: Repo, sessions: Sessions, agent: str
) -> None:
    work.passdown("pack")
    told = work.passdown("resume", "--json").json()
    assert told["armed"] is True
    for text in (GOAL, "cap 60 s", BACKOFF, "N1 migrations/** (user)", "Continue at step 2"):
        assert text in told["brief"]
    session = begin(agent, sessions, work).user("go on from the handoff, please")
    session.edit("src/client.py", "return (url", "return url").edit("migrations/0001.sql", "create", "drop")
    session.bash("pytest -q", output="212 passed in 6.00s").say("Done.").save()
    second = work.passdown("pack", "--json").json()
    assert second["run"]["resumed_from"] == told["packet"]
    assert {f["path"]: f["inside"] for f in second["files"]} == {"migrations/0001.sql": False, "src/client.py": True}
    assert [i["id"] for i in second["items"]] == ["S1"]
    assert {c["id"] for c in second["closed"]} == {"F1", "F2"}
    assert second["hold"]["state"] == "HOLD"
    held = work.passdown("resume", "--json")
    assert held.code == 1
    assert held.json()["armed"] is False
