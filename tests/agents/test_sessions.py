"""Which file is whose, which sessions worked here, which one a name means."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passdown.agents import codex
from passdown.agents.sessions import find_sessions, pick, read_session, reader_of
from passdown.errors import PassdownError
from support.repo import Repo
from support.sessions import Sessions
from support.transcripts import event, line, message, meta, put, queue, user

HOUR = 3600.0
NOW = 1_796_000_000.0

FOREIGN = {
    "text": b"hello\n",
    "binary": bytes(range(256)) * 40,
    "foreign JSON": b'{"a": 1}\n',
    "Copilot": b'{"type":"session.start","data":{"sessionId":"x"},"id":"1","timestamp":"2026-11-30T10:00:00Z"}\n',
    "Gemini": b'{"sessionId":"x","projectHash":"y"}\n{"id":"1","type":"user"}\n',
    "Pi": b'{"type":"session","version":3,"id":"x","cwd":"/w"}\n{"type":"message","id":"a","message":{}}\n',
    "a hook's input": b'{"session_id":"x","transcript_path":"/t","hook_event_name":"Stop"}\n',
    "stream-json": b'{"type":"system","subtype":"init","session_id":"x","cwd":"/w"}\n',
    "a JSON document": b'{\n  "messages": []\n}\n',
}

KNOWN = {
    "claude": ("claude", [user("go")]),
    "claude, a queue first": ("claude", [queue("enqueue", "go"), user("go")]),
    "claude, a summary first": ("claude", [{"type": "summary", "summary": "x", "leafUuid": "y"}]),
    "claude, broken lines first": ("claude", ["{x", "\0\0", user("go")]),
    "claude, one huge record": ("claude", [user("x" * 400_000)]),
    "codex": ("codex", [meta()]),
    "codex, a huge head": ("codex", [meta(base_instructions={"text": "x" * 400_000})]),
    "codex, its head lost": ("codex", [event("user_message", message="go")]),
    "codex, no envelope": ("codex", [{"id": "x", "timestamp": "2025-09-10T10:00:00Z", "instructions": None}]),
    "codex, ordinals": ("codex", [{**meta(), "ordinal": 0}]),
}


@pytest.mark.parametrize("data", FOREIGN.values(), ids=FOREIGN.keys())
def test_what_is_no_transcript_is_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(PassdownError, match="no transcript that Passdown can read") as caught:
        read_session(path)
    assert "\n" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\0\0\0", b"\xef\xbb\xbf"])
def test_an_empty_file_holds_no_session(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(PassdownError, match="is empty"):
        read_session(path)


@pytest.mark.parametrize(("agent", "records"), KNOWN.values(), ids=KNOWN.keys())
def test_a_transcript_is_known_by_its_content(tmp_path: Path, agent: str, records: list[Any]) -> None:
    assert reader_of(put(tmp_path / "whatever.txt", records)).name == agent


def test_facts_of_both_agents(repo: Repo, sessions: Sessions) -> None:
    for session in (sessions.claude(repo.root), sessions.codex(repo.root)):
        path = session.user("make it pass").bash("pytest -q", exit=1, output="1 failed").say("It fails.").save()
        facts = read_session(path)
        assert [request.text for request in facts.requests] == ["make it pass"]
        assert [(command.command, command.exit) for command in facts.commands] == [("pytest -q", 1)]
        assert facts.session == session.session


def found(root: Path) -> list[str]:
    return [session.session for session in find_sessions(root, os.environ)]


def test_newest_first_by_the_last_record_not_by_the_file(repo: Repo, sessions: Sessions) -> None:
    old = sessions.claude(repo.root, start=NOW - 5 * HOUR).user("a")
    new = sessions.codex(repo.root, start=NOW - HOUR).user("b")
    middle = sessions.claude(repo.root, start=NOW - 2 * HOUR).user("c")
    for number, session in enumerate([new, middle, old]):
        os.utime(session.save(), (NOW + number, NOW + number))
    assert found(repo.root) == [new.session, middle.session, old.session]


def test_the_place_is_the_real_worktree(
    repo: Repo, sessions: Sessions, tmp_path: Path, make_repo: Callable[..., Repo]
) -> None:
    (repo.root / "src/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(repo.root, target_is_directory=True)
    linked = repo.root / ".worktrees/one"
    repo.git("worktree", "add", "-q", str(linked))
    inside = [sessions.claude(repo.root / "src/deep"), sessions.codex(tmp_path / "link")]
    outside = [
        sessions.claude(linked),
        sessions.codex(make_repo("other").root),
        sessions.codex(Path("C:\\work\\repo")),
        sessions.claude(tmp_path),
    ]
    for session in [*inside, *outside]:
        session.user("a").save()
    expected = {session.session for session in inside}
    assert set(found(repo.root)) == expected
    assert set(found(tmp_path / "link")) == expected
    assert len(found(linked)) == 1


def test_a_session_that_moved_in_or_out_worked_here(repo: Repo, sessions: Sessions, tmp_path: Path) -> None:
    moved_in = sessions.claude(tmp_path).user("a")
    moved_in.cwd = repo.root
    moved_in.user("b").save()
    turned = sessions.codex(tmp_path)
    turned.raw(line("turn_context", cwd=str(repo.root))).save()
    assert set(found(repo.root)) == {moved_in.session, turned.session}


def test_subagents_are_no_sessions_of_their_own(repo: Repo, sessions: Sessions) -> None:
    own = sessions.claude(repo.root).user("a")
    file = own.save()
    marks = {"isSidechain": True, "agentId": "a7", "cwd": str(repo.root)}
    put(file.with_name("agent-a7.jsonl"), [user("x", **marks)])
    put(file.with_suffix("") / "subagents/agent-a8.jsonl", [user("x", **marks)])
    parent = sessions.codex(repo.root).user("a")
    source = {"subagent": {"thread_spawn": {"parent_thread_id": parent.session}}}
    put(parent.save().with_name("rollout-2-kid.jsonl"), [meta(id="kid", cwd=str(repo.root), source=source)])
    assert set(found(repo.root)) == {own.session, parent.session}


def test_of_copies_made_by_resuming_the_newest_continuation_stands(repo: Repo, sessions: Sessions) -> None:
    first = sessions.claude(repo.root, start=NOW - 3 * HOUR).user("a").say("b")
    first.save()
    resumed = sessions.claude(repo.root, start=NOW - HOUR)
    resumed.records = [{**record, "sessionId": resumed.session} for record in first.records]
    resumed.user("c").save()
    assert found(repo.root) == [resumed.session]
    first.user("the original went on, too")
    first.start = NOW - 30 * 60
    first.save()
    assert found(repo.root) == [first.session, resumed.session]


def test_the_agents_folders_come_from_the_environment(repo: Repo, sessions: Sessions, scratch_home: Path) -> None:
    sessions.claude(repo.root).user("a").save()
    sessions.codex(repo.root).user("a").save()
    home = {"HOME": str(scratch_home)}
    assert len(find_sessions(repo.root, home)) == 2
    assert find_sessions(repo.root, {**home, "CLAUDE_CONFIG_DIR": "/none", "CODEX_HOME": "/none"}) == []
    assert find_sessions(repo.root, {}) == []


def test_files_that_are_odd_are_passed_over(repo: Repo, sessions: Sessions) -> None:
    file = sessions.claude(repo.root).user("a").save()
    for name, data in FOREIGN.items():
        file.with_name(f"{name}.jsonl").write_bytes(data)
    file.with_name("empty.jsonl").write_bytes(b"")
    file.with_name("folder.jsonl").mkdir()
    file.with_name("gone.jsonl").symlink_to("/none")
    assert len(found(repo.root)) == 1


def test_the_oldest_rollouts_are_found_by_their_environment(repo: Repo, sessions: Sessions) -> None:
    head = {"id": "e0", "timestamp": "2025-09-10T10:00:00Z", "instructions": None, "git": None}
    words = message("user", f"<environment_context>\n  <cwd>{repo.root}</cwd>\n</environment_context>")["payload"]
    put(
        sessions.codex_home / "sessions/2025/09/10/rollout-2025-09-10T10-00-00-e0.jsonl",
        [head, {"record_type": "state"}, words],
    )
    assert found(repo.root) == ["e0"]


def test_a_compressed_rollout_is_found(repo: Repo, sessions: Sessions) -> None:
    zstandard = pytest.importorskip("zstandard")
    file = sessions.codex(repo.root).user("a").save()
    file.with_name(f"{file.name}.zst").write_bytes(zstandard.ZstdCompressor().compress(file.read_bytes()))
    file.unlink()
    assert len(found(repo.root)) == 1
    assert not codex.sniff([])


def test_pick_by_id_prefix_and_file(repo: Repo, sessions: Sessions) -> None:
    one = sessions.claude(repo.root, session="abc11111-0000-4000-8000-000000000000").user("a").save()
    two = sessions.codex(repo.root, session="abc22222-0000-4000-8000-000000000000").user("a").save()
    assert pick("abc1", repo.root, os.environ) == one
    assert pick("abc22222-0000-4000-8000-000000000000", repo.root, os.environ) == two
    assert pick(str(one), repo.root, os.environ) == one
    with pytest.raises(PassdownError, match="means several sessions"):
        pick("abc", repo.root, os.environ)


def test_a_named_session_that_is_not_there_is_an_error(
    repo: Repo, sessions: Sessions, make_repo: Callable[..., Repo]
) -> None:
    """F6: never another session in its place."""
    elsewhere = sessions.claude(make_repo("other").root, session="def00000-0000-4000-8000-000000000000")
    elsewhere.user("a").save()
    sessions.claude(repo.root).user("a").save()
    for name in ("def00000", "zzz", "", "missing.jsonl", "some/where"):
        with pytest.raises(PassdownError):
            pick(name, repo.root, os.environ)


@pytest.mark.parametrize(
    ("agent", "work", "listed"),
    [
        ("claude", lambda s, there: s.write(f"{there}/src/a.py", "x = 1\n"), True),
        ("claude", lambda s, there: s.bash(f"cd {there} && git commit -am x"), True),
        ("claude", lambda s, _: s.bash("git -C ../fix commit -am x"), True),
        ("claude", lambda s, there: s.bash(f'cd "{there}/src"; pytest'), True),
        ("codex", lambda s, there: s.bash(f"cd {there} && git commit -am x"), True),
        ("codex", lambda s, there: s.write(f"{there}/src/a.py", "x = 1\n"), True),
        ("claude", lambda s, there: s.read(f"{there}/src/a.py"), False),
        ("claude", lambda s, there: s.bash(f"ls {there}"), False),
        ("claude", lambda s, there: s.say(f"cd {there}2 is next; see {there}."), False),
        ("claude", lambda s, there: s.bash(f"cd {there}2 && git commit -am x"), False),
        ("claude", lambda s, there: s.write(f"{there}/nested/a.py", "x = 1\n"), False),
    ],
)
def test_a_session_of_another_worktree_that_worked_here_is_listed(
    repo: Repo, sessions: Sessions, agent: str, work, *, listed: bool
) -> None:
    there = repo.root.parent / "fix"
    repo.git("worktree", "add", "-q", str(there))
    (there / "src").mkdir()
    (there / "nested/.git").mkdir(parents=True)
    session = getattr(sessions, agent)(repo.root).user("a")
    work(session, there).say("Done.").save()
    assert found(there) == ([session.session] if listed else [])
    assert found(repo.root) == [session.session]


def test_work_in_the_middle_of_a_long_session_is_found(repo: Repo, sessions: Sessions) -> None:
    there = repo.root.parent / "fix"
    repo.git("worktree", "add", "-q", str(there))
    session = sessions.claude(repo.root).user("a")
    for folder in (repo.root, there, repo.root):
        session.cwd = folder
        for _ in range(40):
            session.user("x" * 4000)
    session.save()
    assert found(there) == [session.session]


def test_another_repository_beside_it_is_not_searched(
    repo: Repo, sessions: Sessions, make_repo: Callable[..., Repo]
) -> None:
    """Only sessions of the same repository, or of a folder above it, are read as a whole."""
    sessions.claude(make_repo("other").root).user("a").write(f"{repo.root}/a.py", "x = 1\n").save()
    above = sessions.claude(repo.root.parent).user("a").write(f"{repo.root}/a.py", "x = 1\n")
    above.save()
    assert found(repo.root) == [above.session]
