"""What nobody writes by hand."""

from __future__ import annotations

import pytest

from passdown.rules.leftovers import leftover


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/__pycache__/a.cpython-311.pyc", "__pycache__"),
        ("a.pyc", "a.pyc"),
        (".pytest_cache/v/cache/lastfailed", ".pytest_cache"),
        ("docs/.DS_Store", ".DS_Store"),
        ("src/pycache.py", None),
        ("__pycache__", None),
        ("src/a.pyx", None),
    ],
)
def test_generated_files_are_known_by_name(path: str, name: str | None) -> None:
    assert leftover(path) == name
