from __future__ import annotations

import pytest

from passdown.rules.overlap import overlapping

BASE = "a\nb\nc\nd\ne\nf\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "conflict"),
    [
        ("A\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n", False),
        ("a\nB\nc\nd\ne\nf\n", "a\nX\nc\nd\ne\nf\n", True),
        ("a\nB\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\n", False),
        ("a\nB\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\nf\n", True),
        ("a\nb\nc\nd\ne\nf\ng\n", "a\nb\nc\nd\ne\nf\nh\n", True),
        ("a\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nf\nh\n", False),
        (BASE, "x\n", False),
    ],
)
def test_changes_that_meet_conflict(ours: str, theirs: str, conflict: bool) -> None:
    assert overlapping(BASE, ours, theirs) is conflict
