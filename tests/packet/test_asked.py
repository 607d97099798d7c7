"""A person's words on a few lines: what they forbid is never what is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.agents.facts.prohibitions import prohibitions
from passdown.packet.asked import WHOLE, asked, shortened
from passdown.packet.text import cells, folded, plain

FILLER = "The parser must take blanks around names, an empty line, quoted names and numbers with a sign. "
FORBIDDEN = (
    "Don't touch docs/.",
    "Do not add any dependency to pyproject.toml.",
    "Leave README.md alone please.",
    "Keep charge() in billing/client.py as it is for its callers.",
    "Never change the migrations.",
)


def told(text: str, width: int) -> list[str]:
    return asked("Goal (you, 14:02)  ", text, [p.text for p in prohibitions(text, None, 0)], width)


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("forbidden", FORBIDDEN)
@pytest.mark.parametrize("before", [0, 1, 3, 40])
@pytest.mark.parametrize("after", [0, 1, 40])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_b2_what_the_person_forbids_is_never_cut(forbidden: str, before: int, after: int, width: int) -> None:
    lines = told(FILLER * before + forbidden + " " + FILLER * after, width)
    assert forbidden.rstrip(".") in joined(lines)
    assert len(lines) <= WHOLE + 1
    assert all(cells(line) <= width for line in lines)


def test_each_of_several_stands_and_dots_say_what_is_left_out() -> None:
    text = "Begin here. " + FILLER * 9 + FORBIDDEN[0] + " " + FILLER * 9 + FORBIDDEN[1] + " " + FILLER
    shown = joined(told(text, 80))
    assert "Begin here." in shown
    assert f"... {FORBIDDEN[0]} ... {FORBIDDEN[1].rstrip('.')}" in shown
    assert shown.endswith('..."')


def test_a_text_without_any_keeps_to_two_lines_and_says_that_it_goes_on() -> None:
    lines = told(FILLER * 9, 80)
    assert len(lines) == 2
    assert lines[-1].endswith('..."')


def test_a_short_text_stands_as_it_is() -> None:
    assert told("make it pass", 80) == ['Goal (you, 14:02)  "make it pass"']


@given(st.text(max_size=400), st.lists(st.text(min_size=1, max_size=60), max_size=3), st.integers(20, 200))
def test_whatever_is_in_the_text_and_forbidden_stands_in_what_is_left(text: str, parts: list[str], room: int) -> None:
    whole = f"{text} {' '.join(parts)} {text}"
    kept = shortened(whole, parts, room)
    assert all(plain(part) in kept or plain(part) not in plain(whole) for part in parts)


@given(st.text(max_size=300), st.integers(30, 100), st.none() | st.integers(1, 4))
def test_no_line_is_too_wide_and_without_a_limit_nothing_is_lost(text: str, width: int, most: int | None) -> None:
    lines = folded("Label  ", plain(text), width, lines=most)
    assert all(cells(line) <= width for line in lines)
    assert most is None or len(lines) <= most
    if most is None:
        assert "".join("".join(lines).split()) == "Label" + "".join(plain(text).split())
