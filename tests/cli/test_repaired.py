"""A file that did not parse when the packet was sealed and does now is no open item any more, on any screen."""

from __future__ import annotations

import pytest

BROKEN = {
    "src/a.py": ("def go(:\n", "def go():\n    return 1\n"),
    "conf/a.json": ('{"a": ', '{"a": 1}\n'),
    "conf/a.toml": ("[a\n", "[a]\n"),
}


@pytest.fixture(params=BROKEN)
def cut(request, repo, sessions):
    """A packet of a run that left one file half-written, and the text that repairs it."""
    path, (half, whole) = request.param, BROKEN[request.param]
    repo.write("README.md", "a\n").commit()
    repo.branch("work").write(path, half)
    sessions.claude(repo.root, branch="work").user(f"write {path}").write(path, half).save()
    (item,) = repo.passdown("pack", "--no-check", "--json").check().json()["items"]
    assert item["paths"] == [path]
    return repo, path, whole, item["id"]


def brief(repo):
    return repo.passdown("resume", "--no-check").check().out


def listed(repo):
    return [item["id"] for item in repo.passdown("status", "--json").check().json()["items"]]


def test_repaired_by_hand_it_is_open_nowhere(cut):
    repo, path, whole, name = cut
    assert listed(repo) == [name]
    repo.write(path, whole)
    assert listed(repo) == []
    assert "does not parse" not in repo.passdown("status").check().out
    assert "does not parse" not in repo.passdown("show").check().out
    told = brief(repo)
    assert "does not parse" not in told
    assert "First step: repair" not in told
    assert "left open" not in repo.passdown("outcome", "completed").check().out


@pytest.mark.parametrize("how", ["as it was", "broken elsewhere", "gone"])
def test_what_nothing_shows_to_be_done_stays_open(cut, how):
    repo, path, _, name = cut
    if how == "broken elsewhere":
        repo.write(path, "\n\n" + BROKEN[path][0])
    elif how == "gone":
        repo.delete(path)
    assert listed(repo) == [name]
    assert f"left open: {name}" in repo.passdown("outcome", "completed").check().out
