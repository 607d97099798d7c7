"""The hook follows the record: whatever binds or frees a worktree is in force for the agent's next tool call."""

from __future__ import annotations

import pytest

from passdown.guard import hook_files
from support.guarded import Guarded, decision
from support.repo import Repo


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    return Guarded(repo)


def test_start_boundary_and_outcome(guarded):
    repo = guarded.repo
    assert decision(guarded.write("README.md")) is None
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/a.py")) is None
    repo.passdown("boundary", "allow", "README.md").check()
    assert decision(guarded.write("README.md")) is None
    repo.passdown("boundary", "deny", "src/a.py").check()
    assert decision(guarded.write("src/a.py")) == "deny"
    repo.passdown("outcome", "abandoned", "--because", "tried").check()
    assert decision(guarded.write("src/a.py")) is None
    assert not guarded.rules.exists()


def test_resume_and_a_verdict(guarded):
    repo = guarded.repo
    repo.write("src/a.py", "a = 2\n").write("src/b.py", "b = 1\n")
    packet = repo.passdown("pack", "--no-check", "--goal", "mend a", "--json").check().json()["packet"]
    assert decision(guarded.write("README.md")) is None
    repo.passdown("resume", "--json").check()
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/b.py")) is None
    repo.passdown("review", packet[:12], "--narrow", "-1", "--json").check()
    assert sorted(decision(guarded.write(path)) or "" for path in ("src/a.py", "src/b.py")) == ["", "deny"]


def test_each_worktree_has_its_own_rules_and_another_ones_command_reaches_it(guarded, tmp_path):  # F3, G4
    repo = guarded.repo
    other = tmp_path / "other"
    repo.git("worktree", "add", "-q", str(other), "-b", "other")
    Repo(other).passdown("start", "mend a", "--allow", "src/**").check()
    assert decision(guarded.write("README.md")) is None
    assert decision(guarded.ask("Write", {"file_path": "README.md"}, cwd=str(other))) == "deny"
    assert decision(guarded.ask("Write", {"file_path": "src/a.py"}, cwd=str(other))) is None
    assert sorted(path.stem for path in guarded.rules.parent.iterdir()) == ["other"]


def test_where_no_hook_was_put_in_place_nothing_is_written(repo):
    repo.write("a", "a").commit("start")
    repo.passdown("start", "mend a", "--allow", "a").check()
    assert not hook_files.folder(repo.root / ".git" / "passdown").exists()
