"""A served repository: the pages as a person gets them, from a real process on loopback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import pytest

from support.process import PASSDOWN, TIMEOUT
from support.repo import Repo
from support.served import Served
from support.sessions import Sessions

GOAL = "make test_retry pass; keep the public API of client.py; don't touch migrations"


@contextmanager
def serving(repo: Repo, *arguments: str) -> Iterator[Served]:
    """`passdown serve` in the repository."""
    argv = [PASSDOWN, *(arguments or ("serve",))]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(argv, cwd=repo.root, text=True, env=dict(os.environ), **pipes)
    try:
        line = process.stdout.readline().strip()
        assert line.startswith("http://127.0.0.1:"), process.stderr.read()
        address = urlsplit(line)
        yield Served(repo, address.port, parse_qs(address.query)["token"][0])
    finally:
        process.terminate()
        process.communicate(timeout=TIMEOUT)


@pytest.fixture
def packed(repo: Repo, sessions: Sessions) -> Repo:
    """A packet of a run that stopped: a failing test, a false claim, a file outside the goal."""
    repo.write("src/retry.py", "WAIT = 3\n").write("src/client.py", "def call():\n    return 1\n")
    repo.write("tests/test_retry.py", "def test_backoff():\n    assert True\n")
    repo.write("migrations/0001.sql", "CREATE TABLE a (b INTEGER);\n").write("CODEOWNERS", "src/ @payments\n")
    repo.write("passdown.toml", '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nacceptance = true\n')
    repo.commit("Project").branch("retry")
    session = sessions.claude(repo.root, branch="retry").user(GOAL)
    session.edit("src/retry.py", "WAIT = 3", "WAIT = 5").edit("src/client.py", "return 1", "return 2")
    session.write("README.md", "# <script>alert(1)</script>\n")
    output = "FAILED tests/test_retry.py::test_backoff - AssertionError: 3 != 5\n1 failed, 211 passed in 3.2s"
    session.bash("pytest -q", exit=1, output=output).say("All 212 tests pass. <b>Done</b>", final=False).quota().save()
    repo.passdown("pack", "--no-check").check()
    return repo


@pytest.fixture
def digest(packed: Repo) -> str:
    return packed.passdown("show", "--json").check().json()["packet"]


@pytest.fixture
def served(packed: Repo) -> Iterator[Served]:
    """The pages, entered with the token."""
    with serving(packed) as found:
        yield found.enter()
