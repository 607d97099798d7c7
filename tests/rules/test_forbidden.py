from __future__ import annotations

import pytest

from passdown.rules.forbidden import closed, left_open

GOAL = "make test_retry pass; keep client.py's public API; don't touch migrations"


@pytest.mark.parametrize(
    ("text", "places", "expected"),
    [
        (GOAL, ["client.py", "migrations"], [("migrations", "don't touch migrations")]),
        ("Don\u2019t edit src/auth, src/billing", ["src/auth", "src/billing"], ["src/auth", "src/billing"]),
        ("never modify anything in `vendor/`", ["vendor/"], ["vendor/"]),
        ("do not change the signature of get() in client.py", ["client.py"], []),
        ("don't change client.py's API", ["client.py"], []),
        ("leave src/auth alone", ["src/auth"], ["src/auth"]),
        ("keep package.json as is, but bump setup.py", ["package.json", "setup.py"], ["package.json"]),
        ("the migrations must not be changed", ["migrations"], ["migrations"]),
        ("migrations are off-limits", ["migrations"], ["migrations"]),
        ("don't touch anything outside src/", ["src/"], []),
        ("fix retry.py without touching client.py", ["retry.py", "client.py"], ["client.py"]),
        ("edit retry.py and don't touch client.py", ["retry.py", "client.py"], ["client.py"]),
        ("hands off docs", ["docs"], ["docs"]),
        ("fass die migrations nicht an", ["migrations"], ["migrations"]),
        ("keep the tests in tests/ green", ["tests/"], []),
        ("don't break the build", [], []),
    ],
)
def test_only_places_that_are_closed_as_a_whole_are_denied(text: str, places: list[str], expected: list) -> None:
    found = closed(text, places)
    assert (found if expected and isinstance(expected[0], tuple) else [place for place, _ in found]) == expected


@pytest.mark.parametrize(
    ("text", "places", "open_"),
    [
        ("Only change src/a.py.", ["src/a.py"], ["src/a.py"]),
        ("Please only edit docs/ and README.md", ["docs/", "README.md"], ["docs/", "README.md"]),
        ("You may only work in `src/`; keep the tests as they are", ["src/"], ["src/"]),
        ("Don't touch anything except src/a.py", ["src/a.py"], ["src/a.py"]),
        ("do not change any other files than src/a.py", ["src/a.py"], []),
        ("Change nothing but src/a.py", ["src/a.py"], ["src/a.py"]),
        ("nur src/a.py \u00e4ndern", ["src/a.py"], ["src/a.py"]),
        ("\u53ea\u6539 src/a.py", ["src/a.py"], ["src/a.py"]),
        ("Only change src/a.py if the tests need it", ["src/a.py"], []),
        ("Don't touch src/a.py", ["src/a.py"], []),
        ("Only change src/a.py, don't touch migrations", ["src/a.py", "migrations"], ["src/a.py"]),
        ("Only change what you must", [], []),
        ("Fix src/a.py, it only touches one row", ["src/a.py"], []),
        ("Keep src/a.py as it is", ["src/a.py"], []),
    ],
)
def test_what_the_words_leave_open(text, places, open_):
    assert [place for place, _ in left_open(text, places)] == open_
