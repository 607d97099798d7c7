"""The real clients, and a small project with one fault that two of its four tests show."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from support.clients import CODE_MODE, DIRECT, Claude, Client, Clients, Codex, MissingError, install

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.repo import Repo

PRICES = """\
def total(prices):
    return sum(prices)


def discounted(price, percent):
    return price
"""
TESTS = """\
import prices


def test_total():
    assert prices.total([1, 2, 3]) == 6


def test_no_discount():
    assert prices.discounted(80, 0) == 80


def test_a_tenth_off():
    assert prices.discounted(100, 10) == 90


def test_all_off():
    assert prices.discounted(50, 100) == 0
"""
AGENTS = ("claude", "codex", "codex in code mode")


@pytest.fixture(scope="session")
def clients() -> Clients:
    """The pinned clients, installed once."""
    try:
        return Clients(install())
    except MissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def project(repo: Repo, scratch_home: Path) -> Repo:
    """prices.py and its tests on main; the work goes on on branch ``discount``."""
    (scratch_home / ".profile").write_text(f'PATH="{os.environ["PATH"]}"\n')  # Codex runs a login shell
    repo.write(".gitignore", ".pytest_cache/\n__pycache__/\n").write("docs/guide.md", "# Guide\n")
    repo.write("prices.py", PRICES).write("test_prices.py", TESTS).write("conftest.py").commit("Add prices")
    return repo.branch("discount")


@pytest.fixture
def make_agent(clients: Clients, project: Repo, tmp_path: Path) -> Callable[[str], Client]:
    """The client of that name, at work in the project."""

    def make(name: str) -> Client:
        scratch = tmp_path / name.replace(" ", "-")
        if name == "claude":
            return clients.claude(project.root, scratch)
        return clients.codex(project.root, scratch, DIRECT if name == "codex" else CODE_MODE)

    return make


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest, make_agent: Callable[[str], Client]) -> Client:
    """Each client in turn."""
    return make_agent(request.param)


@pytest.fixture
def claude(make_agent: Callable[[str], Claude]) -> Claude:
    return make_agent("claude")


@pytest.fixture(params=AGENTS[1:])
def codex(request: pytest.FixtureRequest, make_agent: Callable[[str], Codex]) -> Codex:
    """Codex with direct tools, then in code mode."""
    return make_agent(request.param)
