"""Arguments and files that are no text, no file or no name: one line each, and nothing that moves a terminal."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

MOVES = ["\x1b[2J\x1b]0;x\x07", "\u202egnp", "a\nLift   rm -rf", "\x9b2J", "b\rHOLD"]


@pytest.mark.parametrize("text", MOVES, ids=ascii)
@pytest.mark.parametrize("args", [["hold", "--because"], ["note", "decision"], ["start"]], ids=" ".join)
def test_what_is_printed_moves_nothing(project, args, text):
    project.passdown("start", "tidy").check()
    out = project.passdown(*args, text).check().out + project.passdown("status").check().out
    assert not any(char in out for char in "\x1b\x07\u202e\x9b\r")
    assert "\nLift   rm" not in out


@pytest.fixture
def odd(project):
    os.mkfifo(project.path("pipe.jsonl"))
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(project.root)
        one.bind("socket.jsonl")
        os.chdir(here)
    project.path("folder.jsonl").mkdir()
    return project


@pytest.mark.parametrize("verb", ["session", "pack"])
@pytest.mark.parametrize(
    "name", ["/dev/zero", "./pipe.jsonl", "./socket.jsonl", "./folder.jsonl", "x" * 300, "y/" + "x" * 300]
)
def test_what_is_no_transcript_is_one_line(odd, verb, name):
    said = odd.passdown(verb, name).check(2)
    assert "bug" not in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "args", [["start"], ["note", "decision"], ["hold", "--because"], ["boundary", "deny"]], ids=" ".join
)
def test_bytes_that_are_no_text_are_refused_in_one_line(project, args):
    project.passdown("start", "tidy").check()
    said = project.passdown(*args, os.fsdecode(b"\xff"))
    assert "bug" not in said.err
    assert said.code in (0, 2)
