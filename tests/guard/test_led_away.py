"""Where the agent stands, and where git's own folder was made to lead, change nothing about what binds it."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from support.guarded import Guarded, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("migrations/1.sql", "create;\n").write("README.md", "hello\n").commit(
        "start"
    )
    guarded = Guarded(repo)
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    return guarded


def refused(done):
    return done.returncode == 2 or decision(done) == "deny"


def commondir(root):
    shutil.copytree(root / ".git", root.parent / "other")
    (root / ".git" / "commondir").write_text("../../other\n")


def planted_file(root):
    (root / "migrations" / ".git").write_text("gitdir: ../.git\n")


def planted_link(root):
    (root / "migrations" / ".git").symlink_to("../.git")


LED = {
    "a common folder elsewhere": (commondir, "README.md", "."),
    "a .git file in a folder": (planted_file, "migrations/src/a.py", "migrations"),
    "a .git link in a folder": (planted_link, "migrations/src/a.py", "migrations"),
    "a branch with an empty part": (
        lambda root: (root / ".git/HEAD").write_text("ref: refs/heads//main\n"),
        "README.md",
        ".",
    ),
    "a branch that ends with a slash": (
        lambda root: (root / ".git/HEAD").write_text("ref: refs/heads/main/\n"),
        "README.md",
        ".",
    ),
    "a branch by dots": (lambda root: (root / ".git/HEAD").write_text("ref: refs/heads/./main\n"), "README.md", "."),
}


@pytest.mark.parametrize("name", LED)
def test_git_led_elsewhere_opens_nothing(guarded, name):
    lead, path, stands = LED[name]
    assert refused(guarded.write(path))
    lead(guarded.repo.root)
    assert refused(guarded.write(path, cwd=os.path.normpath(f"{guarded.root}/{stands}")))


@pytest.mark.parametrize("lead", [commondir, planted_file, planted_link])
def test_after_the_call_git_led_elsewhere_is_no_silence(guarded, lead):
    lead(guarded.repo.root)
    for stands in (guarded.root, f"{guarded.root}/migrations"):
        guarded.repo.append("README.md", "bye\n")
        done = guarded.after("Bash", {"command": "python3 x.py"}, cwd=stands)
        assert b"README.md" in done.stdout or done.returncode == 2
    assert guarded.repo.passdown("verify").code != 0


def test_a_worktree_that_was_led_elsewhere_is_refused(guarded):
    other = guarded.repo.worktree("side", "side")
    other.passdown("start", "another", "--allow", "src/**").check()
    side = other.root
    ask = {"file_path": f"{side}/README.md", "content": "x"}
    assert refused(guarded.ask("Write", ask, cwd=str(side)))
    (guarded.repo.root / ".git/worktrees/side/commondir").write_text("/nowhere\n")
    assert refused(guarded.ask("Write", ask, cwd=str(side)))


@pytest.fixture
def elsewhere(guarded, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", guarded.root)
    guarded.repo.write("src/n/x.py", "1\n")
    guarded.repo.git("init", "-q", "src/n")
    (tmp_path / "outside").mkdir()
    return [str(tmp_path / "outside"), f"{guarded.root}/src/n", f"{guarded.root}/src"]


def test_a_shell_line_is_read_wherever_the_agent_stands(guarded, elsewhere):
    for stands in elsewhere:
        assert decision(guarded.ask("Bash", {"command": f"echo x > {guarded.root}/README.md"}, cwd=stands)) == "deny"
        assert decision(guarded.ask("Bash", {"command": "echo x > x.txt; ls"}, cwd=stands)) is None
        assert decision(guarded.ask("Bash", {"command": "git reset -q --hard"}, cwd=stands)) is None
        guarded.repo.append("README.md", "more\n")
        assert b"README.md" in guarded.after("Bash", {"command": "python3 x.py"}, cwd=stands).stdout


def test_only_what_lies_here_is_rescued(guarded, elsewhere):
    kept = guarded.repo.passdown("rescue", "list", "--json").out
    guarded.ask("Bash", {"command": "git reset -q --hard"}, cwd=elsewhere[0])
    assert guarded.repo.passdown("rescue", "list", "--json").out == kept
    guarded.ask("Bash", {"command": f"git -C {guarded.root} reset -q --hard"}, cwd=elsewhere[0])
    assert guarded.repo.passdown("rescue", "list", "--json").out != kept


SHELLS = [
    ({"command": "echo x > README.md"}, "deny"),
    ({"command": ["sh", "-c", "echo x > README.md"]}, "deny"),
    ({"cmd": "tee README.md"}, "deny"),
    ({"commandLine": "git stash"}, "deny"),
    ({"command": "passdown lift --because x"}, "deny"),
    ({"command": "passdown off", "cwd": "src"}, "deny"),
    ({"command": "echo x > a.py", "cwd": "src"}, None),
    ({"command": "echo x > a.py", "cwd": "migrations"}, "deny"),
    ({"command": "view", "path": "README.md"}, None),
    ({"command": "cat README.md | grep -c hello"}, None),
]


@pytest.mark.parametrize(("given", "expected"), SHELLS)
def test_a_server_that_runs_commands_is_a_shell(guarded, given, expected):
    assert decision(guarded.ask("mcp__terminal__run_command", given)) == expected


@pytest.mark.parametrize("line", ["git switch -q -c other", "git checkout -q -b other", "git branch -m main other"])
def test_who_leaves_the_branch_is_told_where_the_boundary_holds(guarded, line):
    guarded.repo.git(*line.split()[1:])
    said = json.loads(guarded.after("Bash", {"command": line}).stdout)["hookSpecificOutput"]["additionalContext"]
    assert "HEAD is on other now" in said
    assert "git switch main" in said
    assert guarded.after("Bash", {"command": "ls"}).stdout == b""


def test_no_other_letter_ends_a_line_of_a_patch(guarded):
    guarded.repo.write("src/ok\u2028/x", "")
    patch = "*** Begin Patch\n*** Add File: src/ok\u2028/../../README.md\n+x\n*** End Patch"
    assert decision(guarded.ask("apply_patch", {"command": patch}, agent="codex")) == "deny"
