from __future__ import annotations

import pytest

from passdown.rules.forbidden import closed

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
