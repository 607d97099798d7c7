"""A session whose client is at work is running; what a dead client left behind says nothing (A17)."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest

from passdown.agents.sessions import read_session
from support.kernel import began

ME = os.getpid()


def register(home: Path, session: str, **fields: object) -> None:
    note = {"pid": ME, "sessionId": session, "procStart": began(ME), "cwd": "/", **fields}
    (home / "sessions").mkdir(parents=True, exist_ok=True)
    (home / "sessions" / f"{note['pid']}.json").write_text(json.dumps(note))


def unfinished(session):
    """A session that ends with a call without a result."""
    session.user("go").bash("make")
    session.records.pop()
    return session, session.save()


@pytest.fixture
def claude(repo, sessions):
    return unfinished(sessions.claude(repo.root))


@pytest.fixture
def codex(repo, sessions):
    return unfinished(sessions.codex(repo.root))


def test_a_client_that_registered_itself_is_at_work(claude):
    session, path = claude
    assert read_session(path).end.reason == "truncated"
    register(session.home, session.session)
    end = read_session(path).end
    assert (end.reason, end.because) == ("running", f"process {ME} is at work on it")


@pytest.mark.parametrize(
    "fields",
    [{"sessionId": "another"}, {"procStart": ""}, {"pid": "x"}],
    ids=["another session", "no start", "another format"],
)
def test_a_note_that_tells_nothing_of_the_client_says_nothing(claude, fields):
    session, path = claude
    register(session.home, session.session, **fields)
    (session.home / "sessions" / "broken.json").write_text("{")
    assert read_session(path).end.reason == "truncated"


@pytest.mark.parametrize("fields", [{"procStart": "1"}, {"pid": 2**22 + 1}], ids=["its number was used again", "gone"])
def test_a_client_that_was_killed_left_its_note_behind(claude, fields):
    session, path = claude
    register(session.home, session.session, **fields)
    end = read_session(path).end
    assert end.reason == "crashed"
    assert end.because.endswith("ended without taking leave: the transcript ends with 1 call(s) without a result: Bash")


def test_a_thread_that_is_locked_for_writing_is_at_work(codex):
    session, path = codex
    locks = session.home / "thread-writer-locks"
    locks.mkdir()
    with (locks / f"{session.session}.lock").open("w") as lock:
        assert read_session(path).end.reason == "truncated"
        fcntl.flock(lock, fcntl.LOCK_EX)
        end = read_session(path).end
    assert (end.reason, end.because) == ("running", f"process {ME} is at work on it")
    assert read_session(path).end.reason == "truncated"


def test_an_idle_client_does_not_reopen_what_is_finished(repo, sessions):
    session = sessions.claude(repo.root).user("go").say("Done.")
    path = session.save()
    register(session.home, session.session)
    assert read_session(path).end.reason == "finished"


def test_a_transcript_that_lies_elsewhere_says_nothing(claude, tmp_path):
    _, path = claude
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    assert read_session(copy).end.reason == "truncated"
