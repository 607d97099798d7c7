"""What leaves the command."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.cli.output import fit, json_text, plain
from passdown.packet.text import cells

ANYTHING = st.text(st.characters(codec=None, exclude_categories=()))


@given(ANYTHING)
def test_foreign_text_is_one_printable_line(text):
    assert all(char.isprintable() for char in plain(text))


@given(ANYTHING, st.integers(4, 120))
def test_nothing_is_wider_than_the_screen(text, width):
    assert cells(fit(text, width)) <= width


@given(st.dictionaries(ANYTHING, st.lists(ANYTHING) | st.none() | st.integers(-(2**53), 2**53)))
def test_every_value_is_one_json_document(value):
    json.loads(json_text(value).encode("utf-8"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\tc", "a b c"),
        ("right\u202eleft", "right\\u202eleft"),
        ("caf\udcc3\udca9", "café"),
        ("bad\udcff", "bad\\xff"),
        ("two  columns", "two  columns"),
    ],
)
def test_what_could_disturb_a_terminal_is_spelled_out(text, shown):
    assert plain(text) == shown
