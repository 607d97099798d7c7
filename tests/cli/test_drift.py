"""What moved since the packet: each row of `resume --json` names the command after which it is gone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.process import PASSDOWN, run
from support.repo import Repo


@pytest.fixture
def sealed(make_repo: Callable[..., Repo]) -> Repo:
    repo = make_repo("repo").write("src/a.py", "x = 1\n").write("b.py", "b\n")
    policy = '[git]\nbase = "main"\n[checks.tests]\nrun = "./tool"\nacceptance = true\n'
    repo.write("passdown.toml", policy).write("tool", "#!/bin/sh\nexit 0\n", mode=0o755)
    repo.commit("Begin").branch("work").write("src/a.py", "x = 2\n").commit("Work")
    repo.passdown("check", "tests").check()
    repo.passdown("pack", "--goal", "g", "--no-check").check()
    return repo


def rows(repo: Repo) -> dict[str, dict[str, str]]:
    drift = repo.passdown("resume", "--no-check", "--json").json()["drift"]
    return {row["what"]: row for row in drift}


def base_moves(repo: Repo) -> None:
    repo.switch("main").write("b.py", "B\n").commit("Upstream").switch("work")


MOVES: dict[str, Callable[[Repo], object]] = {
    "worktree": lambda repo: repo.write("src/a.py", "x = 3\n"),
    "branch": lambda repo: repo.switch("main"),
    "head": lambda repo: repo.git("commit", "-q", "--allow-empty", "-m", "x"),
    "base": base_moves,
    "settings": lambda repo: repo.git("config", "core.hooksPath", "hooks"),
}


def test_nothing_moved(sealed: Repo):
    assert rows(sealed) == {}


@pytest.mark.parametrize("what", MOVES)
def test_each_move_has_its_row_and_its_way_back(sealed: Repo, what: str):
    name = str(sealed.passdown("show", "--json").json()["packet"])[:8]
    MOVES[what](sealed)
    drift = sealed.passdown("resume", name, "--no-check", "--json").json()["drift"]
    (row, *_) = [row for row in drift if row["what"] == what]
    assert row["because"]
    done = run(["sh", "-c", row["fix"].replace("passdown ", f"{PASSDOWN} ")], sealed.root)
    assert done.code == 0, done.out + done.err
    assert what not in rows(sealed)
