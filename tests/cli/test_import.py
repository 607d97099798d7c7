"""`passdown import`: shown before it is recorded, never believed, taken in once."""

from __future__ import annotations

import os
import time

import pytest

from support.repo import Repo

NOTE = """\
## Done
- parser rewritten
## Next
- write the migration
## Decisions
- use sqlite, says \x1b[2J the owner
"""
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture
def work(repo: Repo) -> Repo:
    repo.write("a.py", "a = 1\n").write("HANDOFF.md", NOTE).commit("Begin")
    repo.passdown("start", "make a.py say 2", "--allow", "a.py").check()
    return repo.write("a.py", "a = 2\n")


def test_b19_a_note_of_an_earlier_task_is_not_read_but_told(work: Repo) -> None:
    packet = work.passdown("pack", "--json").check().json()
    assert packet["outcomes"] == []
    note = next(
        note for note in packet["notes"] if note.startswith("HANDOFF.md is older than this task (last changed ")
    )
    assert note.endswith("passdown import HANDOFF.md takes it in")


def test_without_a_yes_it_is_only_shown(work: Repo) -> None:
    shown = work.passdown("import", "HANDOFF.md").check().out
    assert 'step       line 4    "write the migration"' in shown
    assert "Nothing was recorded" in shown
    assert "\x1b" not in shown
    assert work.passdown("import", "HANDOFF.md", "--json").check().json()["recorded"] is False
    assert work.passdown("pack", "--json").check().json()["items"] == []


def test_it_is_taken_in_once_and_settles_nothing(work: Repo) -> None:
    work.passdown("import", "HANDOFF.md", "--yes").check()
    assert "nothing was recorded" in work.passdown("import", "HANDOFF.md", "--yes").check().out
    packet = work.passdown("pack", "--json").check().json()
    said = [(o["text"], o["class"], o["source"]) for o in packet["outcomes"]]
    assert said == [("parser rewritten", "CLAIMED", "HANDOFF.md:2")]
    assert [(i["id"], i["text"]) for i in packet["items"]] == [("S1", "write the migration")]
    assert [(d["by"], d["settled"]) for d in packet["decisions"]] == [("agent", False)]
    assert not any("HANDOFF.md" in note for note in packet["notes"])
    brief = work.passdown("show", "--brief").check().out
    assert 'Only said in HANDOFF.md:2: "parser rewritten".' in brief
    assert "Do not reopen" not in brief


def test_at_a_terminal_enter_records(work: Repo) -> None:
    assert "Nothing was recorded" in work.passdown_at_terminal("import", "HANDOFF.md", keys="q\n").out
    assert "Recorded 3 entries" in work.passdown_at_terminal("import", "HANDOFF.md", keys="\n").out


def test_secrets_do_not_come_in(work: Repo, tmp_path) -> None:
    elsewhere = tmp_path / "notes.md"
    elsewhere.write_text(f"- the token is {SECRET}\n")
    shown = work.passdown("import", str(elsewhere), "--yes").check().out
    assert SECRET not in shown
    assert "notes.md" in shown
    assert str(tmp_path) not in shown
    packet = work.passdown("pack", "--json").check().out
    assert SECRET not in packet


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"a\0b", "no text"), (b"# Title\n", "says nothing"), (None, "cannot read"), (b"x" * 2**21, "no text")],
)
def test_what_is_no_note_is_refused_in_a_line(work: Repo, tmp_path, data: bytes | None, said: str) -> None:
    file = tmp_path / "note.md"
    if data is not None:
        file.write_bytes(data)
    assert said in work.passdown("import", str(file), "--yes").check(2).err


@pytest.mark.parametrize(("hours", "read"), [(0, True), (-48, False)])
def test_a_note_that_git_ignores_is_read_where_it_was_written_since(work: Repo, hours: int, read: bool) -> None:
    work.write(".gitignore", "claude-progress.txt\n").commit("Ignore it")
    work.write("claude-progress.txt", "the parser is rewritten\n")
    at = time.time() + hours * 3600
    os.utime(work.root / "claude-progress.txt", (at, at))
    packet = work.passdown("pack", "--json").check().json()
    said = [(o["text"], o["source"]) for o in packet["outcomes"]]
    assert said == ([("the parser is rewritten", "claude-progress.txt:1")] if read else [])
    assert any("claude-progress.txt" in note for note in packet["notes"]) != read


def test_a_link_to_a_file_elsewhere_is_no_note(work: Repo, tmp_path) -> None:
    (tmp_path / "secret.txt").write_text("the secret of another place\n")
    work.write(".gitignore", "claude-progress.txt\n").commit("Ignore it")
    (work.root / "claude-progress.txt").symlink_to(tmp_path / "secret.txt")
    assert work.passdown("pack", "--json").check().json()["outcomes"] == []
