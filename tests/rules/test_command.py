"""A check's command line: whether exit code 0 vouches, and when two commands are one check."""

from __future__ import annotations

import pytest

from passdown.rules import command


@pytest.mark.parametrize(
    "run",
    [
        "pytest || true",
        "pytest; echo done",
        "pytest | tee log",
        "pytest & wait",
        "pytest ||:",
        "if pytest; then echo ok; fi",
        "pytest\nexit 0",
        "for f in a b; do pytest $f; done",
        "bash -c 'pytest || true'",
        ["sh", "-c", "pytest || true"],
        ["bash", "-c", "pytest; true"],
        "trap 'exit 0' EXIT; pytest",
        "trap 'exit 0' EXIT && pytest",
        "(pytest || true)",
        "pytest || exit 0",
    ],
)
def test_a_masked_command_is_known(run):
    assert command.masked(run)


@pytest.mark.parametrize(
    "run",
    [
        "pytest -q",
        ["pytest", "-q", "|| true"],
        "cd sub && pytest",
        "ruff check . && mypy . && pytest",
        "set -o pipefail; pytest | tee log",
        "FOO=1 pytest",
        'test -z "$(gofmt -l .)"',
        "! grep -r TODO src",
        "pytest > log 2>&1",
        "pytest || exit 1",
    ],
)
def test_an_honest_command_is_not_masked(run):
    assert not command.masked(run)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest", "pytest -q"),
        ("pytest -q", "uv run pytest -q --tb=short"),
        ("pytest -q", "cd /repo && python -m pytest 2>&1 | tail -20"),
        ("pytest -q", ["pytest", "-q"]),
        ("npm test", "cd /repo && npm test"),
        ("cd web && npm test", "cd /repo/web && npm test"),
    ],
)
def test_the_same_check_is_recognised(one, other):
    assert command.key(one, "/repo") == command.key(other, "/repo") is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest", "pytest tests/test_a.py"),
        ("pytest", "pytest -k name"),
        ("pytest", "pytest -x"),
        ("npm test", "cd web && npm test"),
        ("npm test", "npm run lint"),
        ("make test", "make check"),
    ],
)
def test_another_check_is_another(one, other):
    assert command.key(one, "/repo") != command.key(other, "/repo")


def test_several_programs_are_no_single_check():
    assert command.key("ruff check . && pytest", "/repo") is None


@pytest.mark.parametrize(
    ("run", "tool"),
    [
        ("cd x && uv run pytest -q", "pytest"),
        ("python -m unittest", "unittest"),
        ("./scripts/test.sh", "test.sh"),
        ("", ""),
    ],
)
def test_the_tool_whose_exit_code_counts(run, tool):
    assert command.tool(run) == tool
