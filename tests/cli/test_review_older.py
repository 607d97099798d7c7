"""An answer to a packet that is not the newest says so, and what it does."""

from __future__ import annotations

import pytest

WIDE = {"COLUMNS": "140"}


@pytest.fixture
def two(packed):
    """The older packet's name and the newer one's, no run resumed."""
    older = packed.passdown("show", "--json").check().json()["packet"]
    packed.write("src/client.py", "def call():\n    return 7\n")
    newer = packed.passdown("pack", "--no-check", "--json").check().json()["packet"]
    return older, newer


def test_the_screen_and_the_answer_name_the_newer_one(packed, two):
    older, newer = two
    for out in (
        packed.passdown("review", older, env=WIDE).check().out,
        packed.passdown("review", older, "--approve", env=WIDE).check().out,
    ):
        assert f"{newer[:7]} is; an answer to this one decides nothing" in out
    assert packed.passdown("review", older, "--approve", "--json").check().json()["newer"] == newer
    assert packed.passdown("show", "--json").check().json()["verdict"] is None
    assert "Not the newest" not in packed.passdown("review", env=WIDE).check().out
    assert packed.passdown("review", "--approve", "--json").check().json()["newer"] is None


def test_where_the_older_one_is_armed_its_answer_says_that_it_acts(packed):
    older = packed.passdown("show", "--json").check().json()["packet"]
    packed.passdown("review", "--approve").check()
    packed.passdown("resume", "--no-check").check()
    packed.write("docs/guide.md", "x\n")
    packed.passdown("pack", "--no-check").check()
    packed.passdown("verify").check(1)
    out = packed.passdown("review", older, "--narrow", "+docs/guide.md", env=WIDE).check().out
    assert "changes what is armed now" in out
    packed.passdown("verify").check()
