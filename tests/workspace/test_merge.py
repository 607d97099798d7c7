"""Which lines of ours a merge would leave open."""

from __future__ import annotations

import pytest

from passdown.workspace.merge import conflicts
from passdown.workspace.place import find_place
from support.repo import Repo

TEN = "".join(f"{n}\n" for n in range(1, 11))


def lines(**changes: str) -> str:
    return "".join(f"{changes.get(f'l{n}', str(n))}\n" for n in range(1, 11) if changes.get(f"l{n}") != "")


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        (lines(l2="b"), lines(l9="z"), {}),
        (lines(l2="b"), lines(l2="b"), {}),
        (lines(l5="b"), lines(l5="c"), {"f": [5]}),
        (lines(l1="new\n1", l5="b"), lines(l5="c"), {"f": [6]}),
        (lines(l5="b"), lines(l1="new\n1", l5="c"), {"f": [5]}),
        (lines(l2="b", l9="y"), lines(l2="c", l9="z"), {"f": [2, 9]}),
        (lines(l5=""), lines(l5="c"), {"f": [4]}),
    ],
)
def test_lines(repo: Repo, ours: str, theirs: str, found: dict[str, list[int]]):
    repo.write("f", TEN).commit("Base")
    base = repo.head
    repo.branch("theirs").write("f", theirs).commit("Theirs")
    tip = repo.head
    repo.switch("main").write("f", ours).commit("Ours")
    assert conflicts(find_place(repo.root), base, tip, repo.git("rev-parse", "HEAD^{tree}")) == found
