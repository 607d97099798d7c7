"""A worktree in which an agent worked until its quota ran out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from support.repo import Repo
    from support.sessions import Sessions

GOAL = "make test_retry pass; keep the public API of client.py; don't touch migrations"


@pytest.fixture
def project(repo_like: Callable[..., Repo]) -> Repo:
    """Source, tests and migrations on main, a branch for the work, a check that passes where src/ok exists."""
    return repo_like("project", _project)


def _project(repo: Repo) -> None:
    repo.write("README.md", "# Sample\n").commit("Begin")
    repo.write("src/retry.py", "WAIT = 3\n").write("src/client.py", "def call():\n    return 1\n")
    repo.write("tests/test_retry.py", "def test_backoff():\n    assert True\n")
    repo.write("migrations/0001.sql", "CREATE TABLE a (b INTEGER);\n").write("docs/guide.md", "# Guide\n")
    repo.write("passdown.toml", '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nacceptance = true\n')
    repo.commit("Project").branch("retry")


@pytest.fixture
def worked(project: Repo, sessions: Sessions) -> Repo:
    """The same after the run: two files changed, a failing check, a false claim, the quota used up."""
    session = sessions.claude(project.root, branch="retry").user(GOAL)
    session.edit("src/retry.py", "WAIT = 3", "WAIT = 5").edit("src/client.py", "return 1", "return 2")
    output = "FAILED tests/test_retry.py::test_backoff - AssertionError: 3 != 5\n1 failed, 211 passed in 3.2s"
    session.bash("pytest -q", exit=1, output=output).say("All 212 tests pass.", final=False).quota().save()
    return project


@pytest.fixture
def packed(worked: Repo) -> Repo:
    """And packed."""
    worked.passdown("pack", "--no-check").check()
    return worked
