"""What the benchmarks work on: a repository of many files and a long real-format session of it."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.repo import Repo
from support.sessions import ClaudeSession, CodexSession

FILES = 5_000
FOLDERS = 100
TRANSCRIPT_BYTES = 10 * 1024 * 1024
WORDS = ("retry", "client", "billing", "delay", "account", "charge", "wait", "attempt", "service", "when", "the", "of")
KEPT = ("PATH", "TMPDIR", "TERM")


class Workload(NamedTuple):
    """A repository with a dirty worktree and the home that holds its sessions."""

    repo: Repo
    home: Path


@contextmanager
def workload(files: int = FILES) -> Iterator[Workload]:
    """A scratch repository and HOME; the process's environment is the scratch one while it lasts."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        place = Path(folder).resolve()
        home = place / "home"
        home.mkdir()
        os.environ.clear()
        os.environ.update({name: before[name] for name in KEPT if name in before})
        os.environ.update(_scratch(home))
        try:
            yield Workload(_repository(place / "repo", files), home)
        finally:
            os.environ.clear()
            os.environ.update(before)


def _scratch(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "CODEX_HOME": str(home / ".codex"),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Bench",
        "GIT_AUTHOR_EMAIL": "bench@example.com",
        "GIT_COMMITTER_NAME": "Bench",
        "GIT_COMMITTER_EMAIL": "bench@example.com",
    }


def _repository(root: Path, files: int) -> Repo:
    dice = random.Random(7)
    repo = Repo.create(root)
    for number in range(files):
        lines = "".join(f"# {_words(dice, 9)}\n" for _ in range(20))
        repo.write(f"src/part{number % FOLDERS:03}/module{number:05}.py", f'"""Module {number}."""\n{lines}')
    repo.write("README.md", "# Bench\n").commit("Begin")
    return repo.branch("work")


def claude_transcript(work: Workload, size: int = TRANSCRIPT_BYTES) -> Path:
    """A Claude Code session of about ``size`` bytes that reads, edits and tests; its edits are on the disk."""
    dice = random.Random(11)
    session = ClaudeSession(cwd=work.repo.root, home=work.home / ".claude", branch="work", step=0.5)
    session.user("Make the retry tests pass. Don't touch src/part099/.")
    _fill(session, dice, size)
    return session.say("The retry works now. All tests pass.").save()


def codex_transcript(work: Workload, size: int = TRANSCRIPT_BYTES) -> Path:
    """A Codex session of about ``size`` bytes."""
    dice = random.Random(13)
    session = CodexSession(cwd=work.repo.root, home=work.home / ".codex", branch="work", step=0.5)
    session.user("Make the retry tests pass. Don't touch src/part099/.")
    written = 0
    number = 0
    while written < size:
        number += 1
        output = "".join(f"{_words(dice, 12)}\n" for _ in range(60))
        session.say(_words(dice, 40) + ".", final=False).bash(f"sed -n 1,60p src/file{number}.py", output=output)
        written += len(output) + 1_300
        if number % 40 == 0:
            session.bash("pytest -q", exit=1, output=_pytest_output(dice))
    return session.say("The retry works now. All tests pass.").save()


def _fill(session: ClaudeSession, dice: random.Random, size: int) -> None:
    written = 0
    number = 0
    while written < size:
        number += 1
        path = f"src/part{number % FOLDERS:03}/module{number % FILES:05}.py"
        output = "".join(f"{_words(dice, 12)}\n" for _ in range(60))
        session.say(_words(dice, 40) + ".", final=False).read(path).bash(f"rg -n retry {path}", output=output)
        written += 2 * len(output) + 5_000
        if number % 40 == 0:
            session.edit(path, f'"""Module {number % FILES}."""', f'"""Module {number % FILES}, edited."""')
            session.bash("pytest -q", exit=1, output=_pytest_output(dice))


def _pytest_output(dice: random.Random) -> str:
    failed = dice.randrange(1, 4)
    lines = "".join(f"FAILED tests/test_retry.py::test_{n} - AssertionError: assert {n} == 0\n" for n in range(failed))
    return f"{lines}{failed} failed, 211 passed in 6.12s\n"


def _words(dice: random.Random, count: int) -> str:
    return " ".join(dice.choices(WORDS, k=count))
