"""How many git processes a verb starts: counted, as times tell nothing on a busy machine."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

# Each process takes three to six milliseconds of the few hundred that a verb may take. Two questions to git about one
# moment can nearly always be one: a ceiling goes up only with its reason beside it.
CEILINGS = {
    ("pack", "--no-check"): 36,  # a first one: eight for the snapshot from nothing, eight to keep two trees and seal
    ("resume", "--no-check", "--json"): 20,  # up to four of them where a file changed in the second of its snapshot
    ("status",): 14,  # the same
    ("verify",): 17,  # the same, and one: whether the chains of the record are whole
}


@pytest.fixture
def counted(tmp_path: Path) -> tuple[dict[str, str | None], Path]:
    """The environment with a git that writes a line each time it starts, and where it writes."""
    tools, told = tmp_path / "tools", tmp_path / "started"
    tools.mkdir()
    real = shutil.which("git")
    (tools / "git").write_text(f'#!/bin/sh\necho "$@" >> {told}\nexec {real} "$@"\n')
    (tools / "git").chmod(0o755)
    return {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}, told


@pytest.fixture
def pushed(worked):
    """The worktree with a remote that has the base branch."""
    worked.remote()
    return worked


def test_no_verb_asks_git_more_often_than_it_must(pushed, counted):
    env, told = counted
    over = {}
    for verb, ceiling in CEILINGS.items():
        told.unlink(missing_ok=True)
        pushed.passdown(*verb, env=env)
        started = told.read_text().splitlines()
        if len(started) > ceiling:
            over[" ".join(verb)] = [line.rpartition("safe.directory=*")[2] for line in started]
    assert not over, {verb: len(asked) for verb, asked in over.items()}
