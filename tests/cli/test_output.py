"""What leaves the command."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.cli.output import fit, json_text, plain, print_long_json
from passdown.cli.story import _line
from passdown.model.event import BODIES, BULKY
from passdown.packet.text import cells
from support.facts import Told

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


@pytest.mark.parametrize("count", [0, 1, 500, 1203])
def test_a_long_document_is_the_same_in_pieces(count: int, capsys, tmp_path) -> None:
    told = Told(tmp_path)
    for number in range(count):
        told.ran(f"echo {number} \udc80", tail='a\n"b"')
    facts = told.user("Go.").facts()
    print_long_json(facts)
    assert capsys.readouterr().out == json_text(facts) + "\n"


@pytest.mark.parametrize("kind", sorted(BODIES), ids=str)
def test_each_kind_of_record_has_a_line_of_its_own_in_the_log(kind):
    assert kind == BULKY or _line.dispatch(BODIES[kind]) is not _line.dispatch(object)
