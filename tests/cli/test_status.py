"""The status screen: what matters stands whole, in the reader's words."""

from __future__ import annotations

import re

import pytest

from passdown.packet.text import cells
from support.repo import Repo
from support.sessions import Sessions

GOAL = (
    "Make tests/test_parse.py pass. The parser must accept blanks around names, an empty line, quoted names and "
    "numbers with a sign. Don't touch docs/usage.md and leave pyproject.toml alone."
)


@pytest.fixture
def handed_off(repo: Repo, sessions: Sessions) -> Repo:
    """A run that claims what its piped test run refutes, on an unfinished parser."""
    repo.write("src/parse.py", "x = 1\n").write("tests/test_parse.py", "").write("docs/usage.md", "").commit()
    told = sessions.claude(repo.root).user(GOAL).edit("src/parse.py", "x = 1", "x = 2")
    told.bash(
        f"cd {repo.root} && pytest -q 2>&1 | tail -5",
        output="FAILED tests/test_parse.py::test_quotes - AssertionError: 3 != 5\n1 failed, 3 passed in 0.02s\n",
    )
    told.say("All 4 tests pass and the parser is done.").save()
    repo.passdown("pack").check()
    return repo


@pytest.mark.parametrize("columns", ["60", "80", "120"])
def test_prohibition_failure_and_refuted_claim_stand_whole(handed_off: Repo, columns: str) -> None:
    shown = handed_off.passdown("status", env={"COLUMNS": columns}).check().out
    whole = " ".join(shown.split())
    for text in (
        "Don't touch docs/usage.md and leave pyproject.toml alone.",
        "F1 tests/test_parse.py::test_quotes AssertionError: 3 != 5",
        'said "All 4 tests pass and the parser is done.", not so: pytest',
        "1 failed, 3 passed",
    ):
        assert text in whole
    assert all(cells(line) <= int(columns) for line in shown.splitlines())


def test_times_are_clock_times_and_no_command_line_stands_in_the_reasons(handed_off: Repo) -> None:
    shown = handed_off.passdown("status").check().out
    assert not re.search(r"\d{4}-\d\d-\d\d", shown)
    assert "| tail" not in shown
    assert "masked" not in shown


def test_before_the_first_pack_it_names_the_session(repo: Repo, sessions: Sessions) -> None:
    assert "none has worked in this worktree" in repo.passdown("status").check().out
    told = sessions.codex(repo.root).user("x").say("Done.")
    told.save()
    shown = repo.passdown("status").check().out
    assert re.search(rf"Session +{told.session[:8]}, codex, until \d\d:\d\d: not packed yet", shown)


def test_what_is_finished_is_offered_for_closing(repo: Repo) -> None:
    repo.write("passdown.toml", '[checks.ok]\nrun = "true"\nacceptance = true\n').commit()
    repo.passdown("start", "x", "--allow", "README.md").check()
    repo.write("README.md", "# Other\n")
    repo.passdown("check", "ok").check()
    assert "Next   passdown outcome completed" in repo.passdown("pack").check().out
    assert "passdown outcome completed" in repo.passdown("status").check().out
