"""A detached HEAD is no way out: the boundary of the branch that it left holds until a person moves on."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from support.guarded import Guarded, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("first")
    repo.write("src/a.py", "a = 2\n").commit("second")
    repo.branch("other").write("README.md", "other\n").commit("elsewhere").switch("main")
    repo.passdown("start", "mend a", "--allow", "src/**").check()
    repo.passdown("init").check()
    return Guarded(repo)


def git(guarded, *args):
    done = subprocess.run(["git", *args], cwd=guarded.root, capture_output=True, check=False)
    return done.returncode, done.stderr.decode()


def judged(guarded):
    done = guarded.repo.passdown("verify", "--json")
    return done.code, [each["path"] for each in json.loads(done.out)["violations"]]


def rebasing(repo):
    """In the middle of a rebase of the branch that is bound, which stopped at a conflict."""
    repo.write("README.md", "mine\n").git("commit", "-qam", "Mine", "-n")
    assert git(Guarded(repo), "rebase", "other")[0] == 1


def bisecting(repo):
    repo.git("bisect", "start")
    repo.git("bisect", "bad")
    repo.git("bisect", "good", "HEAD~1")


def by_hand(repo):
    """HEAD written without git, so that its log tells nothing."""
    (repo.root / ".git/HEAD").write_text(repo.head + "\n")


def without_a_log(repo):
    repo.git("checkout", "-q", "--detach")
    (repo.root / ".git/logs/HEAD").unlink()


WAYS = {
    "checkout --detach": lambda repo: repo.git("checkout", "-q", "--detach"),
    "switch --detach to an older one": lambda repo: repo.git("switch", "-q", "--detach", "HEAD~1"),
    "further and further": lambda repo: (
        repo.git("checkout", "-q", "--detach"),
        repo.git("checkout", "-q", "HEAD~1"),
        repo.git("checkout", "-q", "main~0"),
    ),
    "another branch and back first": lambda repo: (
        repo.git("switch", "-q", "other"),
        repo.git("switch", "-q", "main"),
        repo.git("checkout", "-q", "--detach", "other"),
    ),
    "HEAD written by hand": by_hand,
    "back, then written by hand": lambda repo: (repo.switch("other"), repo.switch("main"), by_hand(repo)),
    "update-ref": lambda repo: repo.git("update-ref", "--no-deref", "HEAD", "HEAD~1"),
    "without a log": without_a_log,
    "rebasing": rebasing,
    "bisecting": bisecting,
}


@pytest.mark.parametrize("way", WAYS)
def test_who_detaches_is_held(guarded, way):
    WAYS[way](guarded.repo)
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/a.py")) is None
    shown = guarded.repo.passdown("status", "--json").json()
    assert shown["armed"] is True
    assert shown["task"]["title"] == "mend a"


FREE = {
    "another branch": lambda repo: repo.switch("other"),
    "detached from another branch": lambda repo: (repo.switch("other"), repo.git("checkout", "-q", "--detach")),
    "rebasing another branch": lambda repo: (
        repo.switch("other"),
        repo.write("src/a.py", "b\n").commit("b"),
        repo.git("rebase", "-q", "--exec", "false", "main", code=1),
    ),
}


@pytest.mark.parametrize("way", FREE)
def test_a_person_who_moved_on_is_free(guarded, way):
    FREE[way](guarded.repo)
    assert decision(guarded.write("README.md")) is None
    assert guarded.repo.passdown("status", "--json").json()["armed"] is False


def test_detach_commit_and_move_the_branch(guarded):
    repo = guarded.repo
    repo.git("checkout", "-q", "--detach")
    repo.write("README.md", "slipped\n")
    assert b"README.md" in guarded.after("Bash", {"command": "x"}).stdout
    repo.git("add", "-A")
    code, said = git(guarded, "commit", "-qm", "x")
    assert (code, "outside what this run may write" in said) == (1, True)
    repo.git("commit", "-qm", "x", "--no-verify")
    assert judged(guarded) == (1, ["README.md"])
    repo.git("branch", "-f", "main", "HEAD")
    repo.git("checkout", "-q", "main")
    assert judged(guarded) == (1, ["README.md"])


def test_a_persons_rebase_is_not_stopped(guarded):
    rebasing(guarded.repo)
    Path(guarded.root, "README.md").write_text("both\n")
    assert git(guarded, "add", "README.md") == (0, "")
    code, said = git(guarded, "-c", "core.editor=true", "rebase", "--continue")
    assert (code, "outside" in said) == (0, False)
    assert guarded.repo.git("symbolic-ref", "HEAD").strip() == "refs/heads/main"


def test_a_commit_while_bisecting_is_judged_like_any(guarded):
    bisecting(guarded.repo)
    guarded.repo.write("README.md", "slipped\n").git("add", "-A")
    assert git(guarded, "commit", "-qm", "x")[0] == 1
    guarded.repo.git("restore", "--staged", "--worktree", "README.md")
    guarded.repo.write("src/a.py", "a = 3\n").git("add", "-A")
    assert git(guarded, "commit", "-qm", "x") == (0, ""), "what init wrote is no touch either"
