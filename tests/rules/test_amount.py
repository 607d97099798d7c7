from __future__ import annotations

import re
from pathlib import Path

import pytest

import passdown
from passdown.rules.amount import amount


@pytest.mark.parametrize(
    ("number", "words", "said"),
    [
        (0, ("file",), "0 files"),
        (1, ("file",), "1 file"),
        (2, ("file",), "2 files"),
        (1200, ("record",), "1,200 records"),
        (1, ("try", "tries"), "1 try"),
        (3, ("try", "tries"), "3 tries"),
    ],
)
def test_a_number_and_what_it_counts(number: int, words: tuple[str, ...], said: str) -> None:
    assert amount(number, *words) == said


def test_no_text_counts_in_a_plural_of_its_own() -> None:
    nouns = (
        "files|lines|paths|items|commits|tries|records|statements|packets|sessions|errors|days|checks|secrets|breaks"
    )
    own = re.compile(rf"\{{(?:len|sum)\([^}}]*\}} (?:new |changed )?(?:{nouns})\b")
    found = []
    for path in sorted(Path(passdown.__file__).parent.rglob("*.py")):
        found += [f"{path.name}: {line.strip()}" for line in path.read_text().splitlines() if own.search(line)]
    assert found == []
