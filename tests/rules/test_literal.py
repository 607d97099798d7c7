"""Which shell lines are one command of literal words: only these are heard without the shell."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.literal import literal_words, spoken

LITERAL = {
    "passdown note x": ["passdown", "note", "x"],
    "  passdown   note  x  ": ["passdown", "note", "x"],
    "passdown note 'a b' \"c d\"": ["passdown", "note", "a b", "c d"],
    'passdown note "say \\"hi\\" for \\$5"': ["passdown", "note", 'say "hi" for $5'],
    "passdown note 'it costs $5; or `more`'": ["passdown", "note", "it costs $5; or `more`"],
    "passdown note a\\ b": ["passdown", "note", "a b"],
    "passdown note --because='x y'": ["passdown", "note", "--because=x y"],
    "passdown note ''": ["passdown", "note", ""],
    'passdown note "a\nb"': ["passdown", "note", "a\nb"],
    "passdown note é": ["passdown", "note", "é"],
}
OTHERWISE = [
    "",
    "   ",
    "passdown note x > y",
    "passdown note x && rm y",
    "passdown note x; rm y",
    "passdown note x | tee y",
    "passdown note x &",
    "passdown note $X",
    'passdown note "$(cat x)"',
    'passdown note "`cat x`"',
    "passdown note `cat x`",
    "passdown note *",
    "passdown note ~/x",
    "passdown note {a,b}",
    "passdown note (x)",
    "passdown note x\nrm y",
    "passdown note 'x",
    'passdown note "x',
    "passdown note x\\",
    "A=1 passdown note x",
    "passdown note x # rest",
    "passdown note <<E",
    "passdown note !x",
]


@pytest.mark.parametrize("line", LITERAL)
def test_literal_words_are_what_the_shell_would_pass(line):
    assert literal_words(line) == LITERAL[line]


@pytest.mark.parametrize("line", OTHERWISE)
def test_whatever_the_shell_would_do_more_is_not_heard(line):
    assert literal_words(line) is None


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))), min_size=1, max_size=5))
def test_what_was_quoted_whole_comes_back_whole(words):
    assert literal_words(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("line", "heard"),
    [
        ("passdown note x", ["note", "x"]),
        ("/opt/bin/passdown readback a --first b", ["readback", "a", "--first", "b"]),
        ("passdown outcome completed", None),
        ("passdown", None),
        ("passdown --help", None),
        ("echo passdown note x", None),
        ("passdown-x note y", None),
    ],
)
def test_only_these_verbs_of_this_program_are_heard(line, heard):
    assert spoken(line, "passdown", ("note", "readback")) == heard
