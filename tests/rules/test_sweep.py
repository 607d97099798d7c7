"""C12: which sessions that ended without a packet are worth one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passdown.rules.sweep import Silent, why

NOW, SINCE = "2026-11-30T16:00:00Z", "2026-11-29T16:00:00Z"
LEFT = Silent(
    modified="2026-11-30T14:00:00Z", records=10, sealed=-1, worked=True, alive=False, ended=True, branch="main"
)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "draft"),
        ({"ended": False}, "draft"),
        ({"ended": False, "modified": "2026-11-30T15:30:00Z"}, "perhaps at work"),
        ({"ended": True, "modified": "2026-11-30T15:59:00Z"}, "draft"),
        ({"ended": False, "modified": "no instant"}, "before"),
        ({"alive": True}, "at work"),
        ({"alive": True, "modified": "2026-11-30T00:00:00Z", "ended": False}, "at work"),
        ({"sealed": 9}, "packed"),
        ({"sealed": 8}, "draft"),
        ({"worked": False}, "no work"),
        ({"branch": "other"}, "another branch"),
        ({"branch": None}, "draft"),
        ({"modified": "2026-11-29T10:00:00Z"}, "before"),
    ],
)
def test_what_is_drafted(change, said):
    assert why(replace(LEFT, **change), now=NOW, branch="main", since=SINCE) == said


def test_what_is_older_than_two_weeks_or_than_passdown_here_is_left():
    assert why(LEFT, now="2026-12-20T16:00:00Z", branch="main", since=SINCE) == "too old"
    assert why(LEFT, now=NOW, branch="main", since=None) == "before"
