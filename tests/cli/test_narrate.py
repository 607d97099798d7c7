"""`pack --narrate`: no model, a slow one or a wrong one costs one line; the packet is sealed all the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from passdown.cli.narrate import known_narrator, narrate
from passdown.errors import PassdownError
from support.kernel import ended
from support.packets import the_retry_packet
from support.process import until
from support.repo import Repo

GOAL = "make a.py say 2"
ANSWER = json.dumps(
    {"sentences": [{"text": "The goal is set.", "cites": ["G1"]}, {"text": "All passes.", "cites": []}]}
)


@pytest.fixture
def work(repo: Repo) -> Repo:
    repo.write("a.py", "a = 1\n").commit("Begin")
    repo.passdown("start", GOAL, "--allow", "a.py").check()
    return repo.write("a.py", "a = 2\n")


def program(folder: Path, name: str, script: str) -> str:
    """A program of that name in front of all others; the PATH."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_the_llm_program_gets_facts_and_schema_and_keeps_no_log(work: Repo, tmp_path: Path) -> None:
    script = f"cat > {tmp_path}/asked; echo \"$@\" > {tmp_path}/words; pwd > {tmp_path}/where; echo '{ANSWER}'"
    path = program(tmp_path / "bin", "llm", script)
    done = work.passdown("pack", "--narrate", "llm:small -o temperature 0", env={"PATH": path}).check()
    assert "1 sentence of llm:small, each only said." in done.err
    assert "narrated by llm:small" in work.passdown("show", "--markdown").check().out
    words = (tmp_path / "words").read_text()
    assert words.startswith("-m small --no-stream --no-log -o temperature 0 --schema {")
    assert GOAL in (tmp_path / "asked").read_text()
    assert str(work.root) not in (tmp_path / "where").read_text()


def test_a_model_that_takes_no_schema_is_asked_without(work: Repo, tmp_path: Path) -> None:
    script = f"case \"$*\" in *--schema*) echo 'small does not support schemas' >&2; exit 1;; esac; echo '{ANSWER}'"
    path = program(tmp_path / "bin", "llm", script)
    assert "1 sentence" in work.passdown("pack", "--narrate", "llm:small", env={"PATH": path}).check().err


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'no such model' >&2; exit 3", "llm:x ended with 3: no such model"),
        ("exit 9", "llm:x ended with 9"),
        ("echo 'Gladly!'", "the answer is not of the shape that was asked for"),
        ("echo '{\"sentences\": []}'", "no sentence cites a fact"),
        ("printf '\\033[2J\\377' >&2; exit 1", "llm:x ended with 1: "),
    ],
)
def test_what_goes_wrong_is_one_line(tmp_path: Path, monkeypatch, capsys, script: str, why: str) -> None:
    monkeypatch.setenv("PATH", program(tmp_path / "bin", "llm", script))
    assert narrate(the_retry_packet(), "llm:x", tmp_path / "repo", str) == the_retry_packet()
    told = capsys.readouterr().err
    assert told.startswith(f"Not narrated: {why}")
    assert told.endswith("The packet is sealed without it.\n")
    assert told.count("\n") == 1
    assert "\x1b" not in told


def test_a_wrong_answer_seals_the_packet_all_the_same(work: Repo, tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "llm", "echo 'Gladly!'")
    done = work.passdown("pack", "--narrate", "llm:x", "--json", env={"PATH": path}).check()
    assert "Not narrated: the answer is not of the shape that was asked for" in done.err
    assert done.json()["packet"]
    assert done.json()["outcomes"] == []


@pytest.mark.parametrize("who", ["claude", "codex", "llm:small"])
def test_without_the_program_or_with_the_repositorys_own_nothing_runs(
    tmp_path: Path, monkeypatch, capsys, who: str
) -> None:
    root = tmp_path / "repo"
    program(root, who.partition(":")[0], f"touch {tmp_path}/ran")
    monkeypatch.setenv("PATH", str(root))
    assert narrate(the_retry_packet(), who, root, str) == the_retry_packet()
    assert capsys.readouterr().err.startswith(f"Not narrated: {who.partition(':')[0]} is not on PATH.")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("who", ["gpt", "llm:", "", "claude'", "/bin/sh"])
def test_a_narrator_that_is_none_is_refused(who: str) -> None:
    with pytest.raises(PassdownError, match="--narrate"):
        known_narrator(who)


def test_a_look_runs_no_model(work: Repo) -> None:
    assert "exclude each other" in work.passdown("pack", "--dry-run", "--narrate", "claude").check(2).err


def test_with_may_be_said(work: Repo, tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "llm", f"echo '{ANSWER}'")
    assert "1 sentence" in work.passdown("pack", "--narrate", "with", "llm:small", env={"PATH": path}).check().err


def test_a_slow_one_is_ended_with_all_that_it_started(tmp_path: Path, monkeypatch, capsys) -> None:
    child = tmp_path / "child"
    monkeypatch.setenv("PATH", program(tmp_path / "bin", "llm", f"sleep 3600 & echo $! > {child}; wait"))
    packet = the_retry_packet()
    for seconds in (0.5, 5.0, 50.0):
        assert narrate(packet, "llm:x", tmp_path / "repo", str, seconds=seconds) == packet
        assert "Not narrated: llm:x said nothing within" in capsys.readouterr().err
        if child.exists() and child.read_text():  # it got as far as that in its time
            break
    until(lambda: ended(int(child.read_text())))
