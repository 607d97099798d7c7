"""Which patterns name the same place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.cover import covers, merged
from passdown.rules.match import Matcher


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("migrations/", "migrations/**", True),
        ("migrations/**", "migrations/", False),
        ("src/**", "src/a.py", True),
        ("src/**", "src/*.py", True),
        ("*.py", "src/*.py", False),
        ("src/*", "src/**/x", False),
        ("/a.py", "/a.py", True),
        ("a.py", "/a.py", True),
        ("/a.py", "a.py", False),
        ("src/auth/**", "src/auth/", True),
        ("docs/", "x/docs/*.md", True),
        ("src/a.py", "src/a.py/**", True),
        ("src/", "*.py", False),
        ("src/**", "src", False),
        ("src/\\[id\\].py", "src/\\[id\\].py", True),
        ("src/[id].py", "src/\\[id\\].py", False),
        ("**", "src/a.py", True),
    ],
)
def test_covers_only_what_is_certain(wide: str, narrow: str, expected: bool) -> None:
    assert covers(wide, narrow) is expected


PART = st.sampled_from(["a", "b", "*", "**", "a*", "*.py", "[ab]"])
PATTERN = st.builds(
    lambda head, parts, tail: head + "/".join(parts) + tail,
    st.sampled_from(["", "/"]),
    st.lists(PART, min_size=1, max_size=3),
    st.sampled_from(["", "/", "/**"]),
)
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "x.py"]), min_size=1, max_size=4).map("/".join)


@given(PATTERN, PATTERN, PATHS)
def test_who_covers_matches_whatever_the_other_does(wide: str, narrow: str, path: str) -> None:
    if covers(wide, narrow) and Matcher.compile([narrow]).matches(path) is not None:
        assert Matcher.compile([wide]).matches(path) is not None


def test_merged_keeps_each_place_once_with_all_reasons() -> None:
    entries = [("migrations/**", "user"), ("src/a", "rule"), ("migrations/", "owner @dba"), ("src/**", "legal")]
    assert merged(entries) == [("migrations/", ["user", "owner @dba"]), ("src/**", ["rule", "legal"])]
    assert merged([("a/b", "1"), ("c", "2"), ("a/**", "3"), ("a/", "4")]) == [("a/", ["1", "3", "4"]), ("c", ["2"])]
