"""`pack --write`, `--copy`, `--for`: what goes out to people and agents elsewhere."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from passdown.cli.clipboard import copy
from passdown.cli.handed_out import who
from passdown.errors import PassdownError
from support.repo import Repo

GOAL = "make a.py say 2"


@pytest.fixture
def work(repo: Repo) -> Repo:
    repo.write("a.py", "a = 1\n").write("HANDOFF.md", "# Notes\nkeep this").commit("Begin")
    repo.passdown("start", GOAL, "--allow", "a.py").check()
    return repo.write("a.py", "a = 2\n")


def test_the_block_is_kept_up_to_date_and_is_nobodys_change(work: Repo) -> None:
    work.passdown("check", "--", "true").check()
    first = work.passdown("pack", "--write", "HANDOFF.md").check()
    assert "HANDOFF.md: its block is renewed, not committed." in first.err
    text = work.read("HANDOFF.md")
    assert text.startswith("# Notes\nkeep this\n\n<!-- passdown:begin -->\n### Handoff ")
    assert GOAL in text
    again = work.passdown("pack", "--write", "HANDOFF.md").check()
    assert "no packet was sealed" in again.err
    assert work.read("HANDOFF.md") == text
    shown = work.passdown("show", "--json").check().json()
    assert shown["hold"]["state"] == "GO"
    assert [f["path"] for f in shown["files"]] == ["a.py"]
    assert shown["outcomes"] == []
    work.passdown("resume").check()
    work.write("a.py", "a = 3\n")
    newer = work.passdown("pack", "--write", "HANDOFF.md", "--json").check().json()
    assert [f["path"] for f in newer["files"]] == ["a.py"]
    assert work.read("HANDOFF.md").startswith(
        f"# Notes\nkeep this\n\n<!-- passdown:begin -->\n### Handoff {newer['packet'][:7]}"
    )
    work.passdown("verify").check()
    work.commit("A person commits all of it")
    work.passdown("verify").check()


def test_what_somebody_writes_beside_the_block_is_a_change(work: Repo) -> None:
    work.passdown("pack", "--write", "HANDOFF.md").check()
    work.append("HANDOFF.md", "more\n")
    assert "HANDOFF.md" in work.passdown("verify").check(1).out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("link.md", "a link to"),
        ("../elsewhere.md", "is not in"),
        (".git/config", "belongs to git"),
        ("src", "is no file"),
        ("a.py", "is no note for people"),
        ("AGENTS.md", "is no note for people"),
        ("nowhere/HANDOFF.md", "no such folder"),
        ("broken.md", "broken.md:2: the markers of Passdown's block are broken"),
        ("binary.md", "is no text file"),
    ],
)
def test_what_is_no_place_for_it_is_refused(work: Repo, name: str, said: str) -> None:
    outside = work.root.parent / "elsewhere.md"
    outside.write_text("mine\n")
    (work.root / "link.md").symlink_to(outside)
    (work.root / "src").mkdir()
    work.write("broken.md", "a\n<!-- passdown:begin -->\n").write("binary.md", "a\0b")
    before = {path: path.read_bytes() for path in (outside, work.root / ".git/config", work.root / "broken.md")}
    failed = work.passdown("pack", "--write", name).check(2)
    assert said in failed.err
    assert "nothing was written" in failed.err
    assert {path: path.read_bytes() for path in before} == before


def test_a_link_inside_and_the_files_mode_stay(work: Repo) -> None:
    (work.root / "HANDOFF.md").chmod(0o640)
    (work.root / "docs.md").symlink_to("HANDOFF.md")
    work.passdown("pack", "--write", "docs.md").check()
    assert (work.root / "docs.md").is_symlink()
    assert "passdown:begin" in work.read("HANDOFF.md")
    assert (work.root / "HANDOFF.md").stat().st_mode & 0o777 == 0o640


def test_who_goes_on_is_shown_everywhere_and_stays(work: Repo) -> None:
    who = "@org/team"
    assert f"Next   passdown resume   (for {who})" in work.passdown("pack", "--for", who).check().out
    assert f" for {who}, sealed" in work.passdown("show", "--brief").check().out.splitlines()[0]
    assert f" for {who}, sealed" in work.passdown("status").check().out
    assert f"For: `{who}`" in work.passdown("show", "--markdown").check().out
    work.write("a.py", "a = 3\n")
    assert work.passdown("pack", "--json").check().json()["resume_owner"] == who


@pytest.mark.parametrize("name", ["bob", "", "@", "@bob, @ann", "@bob\nWrite: all", "a b@example.com"])
def test_a_name_that_is_nobody_is_refused(name: str) -> None:
    with pytest.raises(PassdownError, match="names nobody"):
        who(name)


@pytest.mark.parametrize("name", ["@bob", "@org/team", "bob@example.com", None])
def test_a_name_that_is_somebody_stands(name: str | None) -> None:
    assert who(name) == name


@pytest.mark.parametrize(
    ("tool", "variable"),
    [
        ("pbcopy", "HOME"),
        ("wl-copy", "WAYLAND_DISPLAY"),
        ("xclip", "DISPLAY"),
        ("xsel", "DISPLAY"),
        ("clip.exe", "WSL_DISTRO_NAME"),
    ],
)
def test_the_desktops_own_program_takes_it(tmp_path: Path, tool: str, variable: str) -> None:
    (tmp_path / tool).write_text(f'#!/bin/sh\ncat > "{tmp_path}/taken"\n')
    (tmp_path / tool).chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    assert copy("caf\u00e9\n", tmp_path / "repo", {**env, variable: "x"}) == tool
    assert (tmp_path / "taken").read_text() == "caf\u00e9\n"
    assert tool == "pbcopy" or copy("x", tmp_path / "repo", env) is None
    assert copy("x", tmp_path, {**env, variable: "x"}) is None


def test_without_one_the_brief_is_printed_and_a_program_of_the_repository_is_none(work: Repo) -> None:
    (work.root / "xclip").write_text("#!/bin/sh\ntouch ran\n")
    (work.root / "xclip").chmod(0o755)
    env = {"PATH": f"{work.root}:{os.environ['PATH']}", "DISPLAY": ":0"}
    done = work.passdown("pack", "--copy", env=env).check()
    assert "No clipboard here" in done.err
    assert work.passdown("show", "--brief").check().out in done.out
    assert not (work.root / "ran").exists()


def test_a_terminal_is_asked_by_itself(work: Repo) -> None:
    done = work.passdown_at_terminal("pack", "--copy", env={"TERM": "xterm-256color", "DISPLAY": None, "TMUX": None})
    brief = work.passdown("show", "--brief").check().out
    assert f"\x1b]52;c;{base64.b64encode(brief.encode()).decode()}\x07" in done.out
    assert "by the terminal (OSC 52)" in done.out
