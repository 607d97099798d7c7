"""A title from the goal's first clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.packet.text import cells
from passdown.packet.title import ROOM, short, title_of


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        ("make test_retry pass; keep client.py's public API; don't touch migrations", "make test_retry pass"),
        ("Make test_backoff pass with exponential back-off; keep it", "Make test_backoff pass"),
        ("Make tests/test_retry.py pass: waits double", "Make tests/test_retry.py pass"),
        (
            "\"fix\" the 'thing' in `src/a.py`, please",
            "fix the thing in src/a.py",
        ),
        ("# Task\n\nRename the flag", "Rename the flag"),
        ("Hi, can you please add a --json flag to the CLI so that it works?", "add a --json flag to the CLI"),
        ("don't touch migrations", "don't touch migrations"),
        ("in /Users/dev/Work/entire/research/git-ai is a repo, can you compare it", "in git-ai is a repo, can"),
        ("B) I'd like to add 'session end' hooks to both", "add session end hooks to both"),
        ("I've noticed whatever command I invoke (e.g., `./entire help`) is slow", "I've noticed whatever command"),
        ("fix e.g. this", "fix e.g. this"),
        ("x" * 50, "x" * ROOM),
        ("", ""),
        ("...", ""),
    ],
)
def test_first_clause_in_whole_words(goal: str, title: str) -> None:
    assert title_of(goal) == title


@given(st.text(max_size=200), st.integers(1, 40))
def test_it_is_one_short_line(text: str, room: int) -> None:
    assert cells(title_of(text)) <= ROOM
    assert cells(short(text, room)) <= room
    assert "\n" not in title_of(text)
