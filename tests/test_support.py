"""The builders themselves: a broken builder would make every other test lie."""

from __future__ import annotations

import json
import os
from pathlib import Path

from support.process import run_at_terminal
from support.repo import Repo


def test_the_environment_is_a_scratch_one(scratch_home):
    assert Path.home() == scratch_home
    assert not [name for name in os.environ if name.startswith(("CLAUDECODE", "CLAUDE_CODE"))]


def test_a_repository_with_worktree_clone_submodule(repo, make_repo):
    other = make_repo("other").write("lib.py", "x = 1\n").commit()
    repo.submodule(other, "vendor/lib")
    repo.commit("Add a submodule")
    linked = repo.worktree("side")
    assert linked.common_dir == repo.common_dir
    bare = repo.remote()
    assert bare.git("rev-parse", "main") == repo.head
    assert repo.clone().head == repo.head
    assert repo.git("reflog", "--date=unix").count("commit") == 2


def test_claude_session_lies_where_the_client_puts_it(repo, sessions, scratch_home):
    repo.write("src/a.py", "x = 1\n")
    session = sessions.claude(repo.root).user("change x").edit("src/a.py", "x = 1", "x = 2")
    file = session.bash("pytest -q", exit=1, output="1 failed").say("All tests pass.").save()
    assert file.is_relative_to(scratch_home / ".claude/projects")
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [r["type"] for r in records] == ["user", "assistant", "user", "assistant", "user", "assistant"]
    assert records == sorted(records, key=lambda r: r["timestamp"])
    assert repo.read("src/a.py") == "x = 2\n"


def test_codex_session_lies_where_the_client_puts_it(repo, sessions, scratch_home):
    file = sessions.codex(repo.root).user("add b").write("b.py", "y = 1\n").say("done").save()
    assert file.is_relative_to(scratch_home / ".codex/sessions")
    assert json.loads(file.read_text().splitlines()[0])["type"] == "session_meta"


def test_at_a_terminal(tmp_path):
    shown = run_at_terminal(["sh", "-c", "test -t 0 && read -r x && echo got $x; exit 3"], tmp_path, "word\n")
    assert "got word" in shown.out
    assert shown.code == 3


def test_a_copied_repository_is_as_one_that_was_built(tmp_path):
    def build(repo):
        repo.write("a.txt", "a\n").write("long/er/" + "n" * 70, "b\n").link("to", "a.txt").commit("Begin")

    for name in ("first", "second"):
        repo = Repo.like(tmp_path / "kept", tmp_path / name, build)
        assert repo.git("diff-files") == ""  # git tells by the times alone
        assert repo.git("status", "--porcelain") == ""
        assert repo.git("log", "--format=%s") == "Begin"
        repo.git("fsck", "--strict")
        assert repo.append("a.txt", "more\n").git("diff-files", "--name-only") == "a.txt"
