"""What counts as done: the check that the person's words name."""

from __future__ import annotations

import pytest

from passdown.packet import words
from passdown.packet.goal import _named
from support.packets import a_check

CHECKS = [
    a_check("lint", command="make lint", kind="lint"),
    a_check("tests", command="npm test", kind="test"),
    a_check("pytest", command="pytest -q", kind="test"),
]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("make the parser quicker", []),
        ("make lint pass", ["lint"]),
        ("npm test must pass", ["tests"]),
        ("then run pytest", ["pytest"]),
        ("go on with npm", []),
        ("Pytest -q should be green", ["pytest"]),
    ],
)
def test_a_runners_name_alone_names_no_check(said: str, named: list[str]) -> None:
    assert _named(CHECKS, [said]) == named


def test_tests_whose_program_is_not_here_come_last() -> None:
    absent = a_check("pytest -q", "ERROR", command="pytest -q", kind="test", exit=127)
    assert [check.name for check in words.tests_of([absent, *CHECKS])] == ["tests", "pytest", "pytest -q"]
