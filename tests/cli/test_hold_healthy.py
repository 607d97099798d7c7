"""What happens every day between two runs never says HOLD."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from passdown.cli.context import Context
from passdown.cli.weighing import as_it_stands
from support.repo import Repo


@pytest.fixture
def sealed(worked: Repo) -> Repo:
    """A run that its quota ended, on a branch with a commit, a remote that has neither; packed."""
    worked.write(".gitignore", ".env\nbuild/\n").write("requirements.txt", "click==8.1\n")
    worked.write("lib/long.py", "".join(f"line {n}\n" for n in range(60)))
    worked.git("stash", "-q", "--include-untracked")
    worked.switch("main").git("stash", "pop", "-q")
    worked.git("add", ".gitignore", "requirements.txt", "lib")
    worked.commit("Ground", stage=False)
    worked.remote()
    worked.git("checkout", "-q", "-B", "retry", "main")
    worked.write(".env", "A=1\n").passdown("pack", "--no-check").check()
    return worked


def on_main(path: str, content: str) -> Callable[[Repo], object]:
    """A colleague's commit on the base branch, fetched."""

    def act(repo: Repo) -> None:
        other = repo.root.parent / "colleague"
        if not other.exists():
            Repo(repo.root.parent / "repo-origin.git").clone("colleague")
        colleague = Repo(other)
        colleague.write(path, content).commit(f"Change {path}").git("push", "-q", "origin", "main")
        repo.git("fetch", "-q")
        repo.git("update-ref", "refs/heads/main", "refs/remotes/origin/main")

    return act


def hunk(repo: Repo) -> None:
    """Both sides change one file, in places that do not meet."""
    repo.replace("lib/long.py", "line 50\n", "line fifty\n").commit("Ours")
    text = "".join(f"line {n}\n" for n in range(60)).replace("line 3\n", "line three\n")
    on_main("lib/long.py", text)(repo)


def merged(repo: Repo) -> None:
    repo.commit("Save")
    on_main("other/theirs.py", "x = 1\n")(repo)
    repo.git("merge", "-q", "--no-edit", "main")


def rebased(repo: Repo) -> None:
    repo.commit("Save")
    on_main("other/rebased.py", "x = 1\n")(repo)
    repo.git("rebase", "-q", "main")


def stashed(repo: Repo) -> None:
    repo.git("stash", "-q")
    repo.git("stash", "pop", "-q")


HEALTHY: dict[str, Callable[[Repo], object]] = {
    "nothing since the quota": lambda _: None,
    "a hand edit inside": lambda repo: repo.append("src/retry.py", "# by hand\n"),
    "a hand edit elsewhere": lambda repo: repo.append("docs/guide.md", "by hand\n"),
    "a formatter run": lambda repo: repo.replace("src/client.py", "    return", "        return"),
    "the work committed": lambda repo: repo.commit("Save"),
    "the work staged": lambda repo: repo.stage(),
    "a message amended": lambda repo: repo.commit("Save").git("commit", "-q", "--amend", "-m", "Say it better"),
    "an unrelated commit": lambda repo: (
        repo.write("docs/new.md", "x\n").stage("docs/new.md").commit("Docs", stage=False)
    ),
    "an empty commit": lambda repo: repo.git("commit", "-q", "--allow-empty", "-m", "Trigger"),
    "new untracked notes": lambda repo: repo.write("notes/ideas.md", "x\n"),
    "an editor's swap file": lambda repo: repo.write("src/.client.py.swp", "x"),
    "an ignored .env": lambda repo: repo.write(".env", "A=2\n"),
    "an ignored build": lambda repo: repo.write("build/out.o", "x"),
    "stash and pop": stashed,
    "a file touched": lambda repo: os.utime(repo.path("src/client.py")),
    "an executable bit": lambda repo: repo.executable("docs/guide.md"),
    "a new branch and tag": lambda repo: repo.git("branch", "idea") + repo.git("tag", "v1"),
    "another worktree": lambda repo: repo.git("worktree", "add", "-q", "-b", "side", repo.root.parent / "side"),
    "gc": lambda repo: repo.git("gc", "-q", "--prune=now"),
    "the branch pushed": lambda repo: repo.commit("Save").git("push", "-q", "-u", "origin", "retry"),
    "a dependency bump on main": on_main("requirements.txt", "click==8.2\n"),
    "a colleague's commit in other files": on_main("other/new.py", "x = 1\n"),
    "a colleague's commit in another hunk": hunk,
    "main merged": merged,
    "rebased without conflict": rebased,
    "another name in the global settings": lambda repo: repo.git("config", "--global", "user.name", "Al"),
    "a check that was run": lambda repo: repo.passdown("check", "ok"),
    "an agent's question that blocks nothing": lambda repo: repo.passdown("note", "question", "which name?"),
    "packed again": lambda repo: repo.passdown("pack", "--no-check").check(),
}


def hold_now(repo: Repo, days: float = 0.0) -> tuple[str, list[str]]:
    """State and reasons of the task's newest packet, by the code path of `show` and `resume`."""
    before = Path.cwd()
    os.chdir(repo.root)
    try:
        context = Context()
        context.now = (datetime.fromisoformat(context.now) + timedelta(days=days)).isoformat()
        hold = as_it_stands(context, context.packet(None)).hold
        context.recorder.close()
    finally:
        os.chdir(before)
    return hold.state, [f"{reason.code}: {reason.fact}" for reason in hold.reasons]


def test_no_everyday_change_holds(sealed: Repo):
    first = sealed.git("stash", "create")
    sealed.git("update-ref", "refs/kept", first)
    held = {}
    for name, act in HEALTHY.items():
        begin = sealed.head
        act(sealed)
        state, reasons = hold_now(sealed)
        if state == "HOLD":
            held[name] = reasons
        sealed.git("checkout", "-q", "-B", "retry", begin, "--force")
        sealed.git("clean", "-fdq")
        sealed.git("checkout", "-q", first, "--", ".")
        sealed.git("reset", "-q")
    assert not held


def test_age_alone_never_holds(sealed: Repo):
    assert [hold_now(sealed, days)[0] for days in (0, 1, 6.9, 13, 40)] == ["WATCH"] * 5
