"""Caches that tools leave behind are no work of the run, as long as no commit and no index holds them."""

from __future__ import annotations

import pytest

GENERATED = [
    "src/__pycache__/a.cpython-311.pyc",
    ".pytest_cache/v/x",
    ".mypy_cache/3.11/x.json",
    ".coverage",
    ".DS_Store",
]


@pytest.fixture
def armed(repo):
    repo.write("src/a.py", "a = 1\n").write("README.md", "hello\n").commit("start")
    repo.passdown("start", "mend a", "--allow", "src/a.py").check()
    return repo


def test_they_are_a_note_and_not_outside(armed):
    for path in GENERATED:
        armed.write(path, "x")
    found = armed.passdown("verify", "--json").check().json()
    assert found["violations"] == []
    assert any("not judged: 5 generated files" in note for note in found["notes"])


@pytest.mark.parametrize("path", GENERATED)
def test_staged_or_committed_they_are_outside(armed, path):
    armed.write(path, "x").git("add", "-f", path)
    assert [each["path"] for each in armed.passdown("verify", "--json").check(1).json()["violations"]] == [path]
    armed.git("commit", "-q", "-m", "x")
    assert [each["path"] for each in armed.passdown("verify", "--json").check(1).json()["violations"]] == [path]


def test_one_that_is_tracked_is_judged(repo):
    repo.write("src/__pycache__/a.pyc", "x").write("src/a.py", "a = 1\n").commit("start")
    repo.passdown("start", "mend a", "--allow", "src/a.py").check()
    repo.write("src/__pycache__/a.pyc", "changed")
    assert repo.passdown("verify", "--json").check(1).json()["holds"] is False


def test_what_only_looks_like_one_is_judged(armed):
    armed.write("__pycache__.py", "x").write("docs/coverage", "x").write("src/a.pycx", "x")
    assert len(armed.passdown("verify", "--json").check(1).json()["violations"]) == 3
