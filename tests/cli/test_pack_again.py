"""Packing once more: nothing that was said and refuted goes lost."""

from __future__ import annotations

import json

import pytest

from support.repo import Repo
from support.sessions import Sessions

CLAIM = "All 4 tests pass."


@pytest.fixture
def packed(repo: Repo, sessions: Sessions) -> Repo:
    """A run that claims what its test run refutes, packed."""
    repo.write("src/parse.py", "x = 1\n").write("tests/test_parse.py", "").commit()
    told = sessions.claude(repo.root).user("make tests/test_parse.py pass").edit("src/parse.py", "x = 1", "x = 2")
    told.bash("pytest -q", exit=1, output="FAILED tests/test_parse.py::test_a - 3 != 5\n1 failed, 3 passed in 0.02s\n")
    told.say(CLAIM).save()
    repo.passdown("pack").check()
    return repo


def packets(repo: Repo) -> list[str]:
    return [event["id"] for event in repo.passdown("log", "--json").check().json() if event["type"] == "packet"]


def test_where_nothing_is_new_the_packet_stands_and_no_other_is_sealed(packed: Repo) -> None:
    again = packed.passdown("pack").check()
    assert f'x "{CLAIM}"' in again.out
    assert "Nothing new since" in again.err
    assert packed.passdown("pack", "--json").check().json()["packet"] == packets(packed)[0]
    assert len(packets(packed)) == 1


def test_an_answer_is_not_lost_by_packing_from_habit(packed: Repo) -> None:
    packed.passdown("review", "--approve").check()
    assert "Answer approve" in packed.passdown("pack").check().out
    assert packed.passdown("show", "--json").check().json()["verdict"]["answer"] == "approve"


@pytest.mark.parametrize("ask", [["--note", "x"], ["--goal", "another"]])
def test_a_second_packet_of_the_same_session_keeps_what_was_said(packed: Repo, ask: list[str]) -> None:
    again = packed.passdown("pack", *ask).check()
    assert f'x "{CLAIM}"' in again.out
    assert len(packets(packed)) == 2


@pytest.mark.parametrize(
    "ask",
    [["--note", "x"], ["--goal", "another"], ["--for", "@bob"], ["--narrate", "codex"], ["--template", "general"]],
)
def test_the_run_is_told_again_whole_where_nothing_ran_since(packed: Repo, ask: tuple[str, str]) -> None:
    first = packed.passdown("show", "--as-sealed", "--json").check().json()
    again = packed.passdown("pack", *ask, "--json").check().json()
    assert again["packet"] != first["packet"]
    assert again["previous"] == first["packet"]
    for part in ("files", "commands", "run", "prohibitions"):
        assert again[part] == first[part], part
    assert again["place"]["start"] == first["place"]["start"]
    assert [item["tries"] for item in again["items"]] == [item["tries"] for item in first["items"]]
    third = packed.passdown("pack", "--for", "@cy", "--json").check().json()
    assert (third["files"], third["note"]) == (first["files"], again["note"])


def test_a_check_does_not_make_the_run_less(packed: Repo) -> None:
    packed.passdown("check", "--", "true").check()
    assert packed.passdown("pack", "--json").check().json()["files"]


def test_what_a_resume_or_an_edit_began_is_a_run_of_its_own(packed: Repo) -> None:
    first = packed.passdown("show", "--json").check().json()["run"]["id"]
    packed.write("src/parse.py", "x = 3\n")
    second = packed.passdown("pack", "--json").check().json()
    assert (second["run"]["id"] != first, [file["path"] for file in second["files"]]) == (True, ["src/parse.py"])
    packed.passdown("resume", "--no-check").check()
    third = packed.passdown("pack", "--for", "@bob", "--json").check().json()
    assert (third["run"]["resumed_from"], third["files"]) == (second["packet"], [])
    assert packed.passdown("pack", "--note", "x", "--json").check().json()["run"] == third["run"]


@pytest.mark.parametrize("change", ["file", "evidence", "note"])
def test_whatever_is_new_is_sealed(packed: Repo, change: str) -> None:
    if change == "file":
        packed.write("src/parse.py", "x = 3\n")
    elif change == "evidence":
        packed.passdown("check", "--", "true").check()
    else:
        packed.passdown("note", "question", "which cap?").check()
    packed.passdown("pack").check()
    assert len(packets(packed)) == 2


def test_a_look_keeps_to_the_size_of_a_packet(repo: Repo) -> None:
    for number in range(3000):
        repo.write(f"gen/{'deep' * 10}/part{number % 7}/file-{number}.txt", "x\n")
    look = repo.passdown("pack", "--dry-run", "--json").check()
    document = look.json()
    assert document["packet"] is None
    assert len(json.dumps(document, separators=(",", ":"))) < 256 * 1024
    assert document["truncated"]["files"] == 3000 - len(document["files"])
