"""What a situation plays in: a repository whose check passes iff src/state.txt says "good"."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.desk import Desk

if TYPE_CHECKING:
    from support.repo import Repo

RUN = "grep -q good src/state.txt"
WHOLE = f'[checks.tests]\nrun = "{RUN}"\n'
DECLARED = f'[checks.tests]\nrun = "{RUN}"\ninputs = ["src/**"]\n'


@dataclass
class Work:
    """One repository with its person; ``tmp`` is a folder outside of it."""

    repo: Repo
    desk: Desk
    monkeypatch: pytest.MonkeyPatch

    @property
    def tmp(self) -> Path:
        return self.repo.root.parent

    def setenv(self, name: str, value: str) -> None:
        self.monkeypatch.setenv(name, value)

    def bad(self) -> None:
        self.repo.write("src/state.txt", "bad\n")


Act = Callable[[Work], object]


@dataclass(frozen=True)
class Situation:
    """``act`` happens after a verified run (``when`` after), before the run (before) or while it runs (during)."""

    id: str
    act: Act
    when: str = "after"
    policy: str = WHOLE
    files: dict[str, str] = field(default_factory=dict)
    check: str = "tests"
    passes: bool | None = None


def plain_files() -> dict[str, str]:
    return {
        "src/state.txt": "good\n",
        "docs/a.md": "a\n",
        ".gitignore": "ignored/\n",
        "ignored/data": "1\n",
        "tool.sh": "true\n",
    }


def begin(repo: Repo, situation: Situation, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Write the files and the policy, commit them."""
    for path, text in {**plain_files(), **situation.files}.items():
        repo.write(path, text, mode=0o755 if path.endswith(".sh") else None)
    if situation.policy:
        repo.write("passdown.toml", situation.policy)
    repo.commit("Begin the work")
    return Work(repo, Desk(repo), monkeypatch)


def fake(folder: Path, name: str = "grep", text: str = "#!/bin/sh\nexit 0\n") -> Path:
    """A program that always passes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)
    return folder


class Pristine:
    """A repository that is put back as it was after each situation, at the same path; Passdown's own folder stays."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._copy = repo.root.parent / "pristine"
        shutil.copytree(repo.root, self._copy, symlinks=True, ignore=_own)

    def put_back(self) -> None:
        for entry in self.repo.root.iterdir():
            if entry.name != ".git":
                _gone(entry)
        for entry in (self.repo.root / ".git").iterdir():
            if entry.name != "passdown":
                _gone(entry)
        shutil.copytree(self._copy, self.repo.root, symlinks=True, dirs_exist_ok=True)


def _own(folder: str, names: list[str]) -> set[str]:
    return {"passdown"} & set(names) if folder.endswith(".git") else set()


def _gone(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()
