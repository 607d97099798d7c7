"""A packet whose run still goes on is on HOLD; a client that idles or is gone holds nothing (A17)."""

from __future__ import annotations

import json
import os

import pytest

from support.kernel import began

ME = os.getpid()


def register(session, pid=ME):
    folder = session.home / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{pid}.json").write_text(json.dumps({"pid": pid, "sessionId": session.session, "procStart": began(pid)}))


@pytest.fixture
def cut(project, sessions):
    """A run in the middle of a call, packed."""
    session = sessions.claude(project.root, branch="retry").user("make src/retry.py wait longer")
    session.edit("src/retry.py", "WAIT = 3", "WAIT = 5").bash("make")
    session.records.pop()
    session.save()
    project.passdown("pack", "--no-check").check()
    return project, session


def grave(repo, *verb, code=None, env=None):
    document = repo.passdown(*verb, "--json", env=env)
    assert code is None or document.code == code
    return [r["code"] for r in document.json()["hold"]["reasons"] if r["level"] == "hold"]


def test_it_holds_every_verb_that_asks_while_the_process_runs(cut):
    repo, session = cut
    assert "interrupted-dirty" not in grave(repo, "resume", "--no-check", code=0)
    register(session)
    for verb in (["show"], ["review"], ["status"]):
        assert "interrupted-dirty" in grave(repo, *verb, code=0)
    assert "interrupted-dirty" in grave(repo, "resume", "--no-check", code=1)
    out = repo.passdown("resume", "--no-check").check(1).out
    assert f"process {ME} is at work on it" in out
    assert "let it end" in out
    (session.home / "sessions" / f"{ME}.json").unlink()
    assert "interrupted-dirty" not in grave(repo, "resume", "--no-check", code=0)


def test_a_session_that_went_on_after_it_was_packed_holds(project, sessions):
    session = sessions.claude(project.root, branch="retry").user("make src/retry.py wait longer")
    session.edit("src/retry.py", "WAIT = 3", "WAIT = 5").say("Done.").save()
    project.passdown("pack", "--no-check").check()
    register(session)
    assert grave(project, "resume", "--no-check", code=0) == [], "it idles at its prompt"
    session.user("and more").bash("make")
    session.records.pop()
    session.save()
    assert grave(project, "resume", "--no-check", code=1) == ["interrupted-dirty"]


def test_the_session_that_asks_is_not_in_its_own_way(cut):
    repo, session = cut
    register(session)
    env = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session.session}
    assert grave(repo, "resume", "--no-check", code=0, env=env) == []
