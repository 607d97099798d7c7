"""Patterns that compile at first use."""

from __future__ import annotations

import re

import pytest

from passdown.rules.patterns import lazy


@pytest.mark.parametrize("method", ["search", "match", "fullmatch", "findall", "split"])
@pytest.mark.parametrize("text", ["", "a1", "b22 c3", "A1"])
def test_it_answers_as_a_compiled_pattern_does(method, text):
    args = (r"([a-z])(\d+)", re.IGNORECASE)
    later, real = getattr(lazy(*args), method)(text), getattr(re.compile(*args), method)(text)
    assert (later and getattr(later, "groups", lambda: later)()) == (real and getattr(real, "groups", lambda: real)())


def test_a_bad_pattern_fails_at_its_first_use_and_not_before():
    bad = lazy("(")
    with pytest.raises(re.error):
        bad.search("")
    assert lazy("x").flags == re.compile("x").flags
