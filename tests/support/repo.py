"""Real repositories for tests: every verb runs real git and returns something to go on with.

repo = Repo.create(path).write("src/a.py", "x = 1\n").commit("Begin")
repo.branch("work").write("src/a.py", "x = 2\n")
answer = repo.passdown("pack", "--json").json()
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import struct
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from support.process import PASSDOWN, Result, run, run_at_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

COMMITS_BEGIN_AGO = 3 * 3600.0
COMMIT_EVERY = 60.0


@dataclass
class Repo:
    """One worktree. Commits are dated a minute apart from three hours ago on: sessions begin after them."""

    root: Path
    _clock: list[float] = field(default_factory=lambda: [time.time() - COMMITS_BEGIN_AGO])

    @classmethod
    def create(cls, root: Path, *, branch: str = "main", object_format: str = "sha1", bare: bool = False) -> Repo:
        """``git init`` in a new folder."""
        root.mkdir(parents=True)
        repo = cls(root.resolve())
        options = ["--bare"] if bare else []
        repo.git("init", "-q", "-b", branch, f"--object-format={object_format}", *options)
        return repo

    @classmethod
    def like(cls, kept: Path, root: Path, build: Callable[[Repo], object]) -> Repo:
        """A copy of the repository that ``build`` makes of a new one; it is built at ``kept`` the first time."""
        if not kept.exists():
            build(cls.create(kept))
        shutil.copytree(kept, root, symlinks=True)
        _know_files_again(root)
        return cls(root.resolve())

    # content
    def write(self, path: str | bytes, content: str | bytes = "", *, mode: int | None = None) -> Repo:
        """Write a file (parents made)."""
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
        if mode is not None:
            target.chmod(mode)
        return self

    def append(self, path: str | bytes, content: str) -> Repo:
        """Add to the end of a file."""
        with self.path(path).open("ab") as file:
            file.write(content.encode())
        return self

    def replace(self, path: str | bytes, old: str, new: str) -> Repo:
        """Replace text that must occur in the file."""
        text = self.path(path).read_text()
        assert old in text, f"{old!r} is not in {path!r}"
        self.path(path).write_text(text.replace(old, new))
        return self

    def delete(self, path: str | bytes) -> Repo:
        """Delete a file from the worktree."""
        self.path(path).unlink()
        return self

    def link(self, path: str | bytes, target: str) -> Repo:
        """Make a symbolic link."""
        place = self.path(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
        return self

    def executable(self, path: str | bytes) -> Repo:
        """Set the executable bits."""
        place = self.path(path)
        place.chmod(place.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return self

    def path(self, path: str | bytes = "") -> Path:
        """A repository path on the disk."""
        return self.root / os.fsdecode(path)

    def read(self, path: str | bytes) -> str:
        """A file's text."""
        return self.path(path).read_text()

    # git
    def git(self, *args: str | os.PathLike[str], env: Mapping[str, str | None] | None = None, code: int = 0) -> str:
        """Run git here; standard output without its last newline."""
        return run(["git", *args], self.root, env).check(code).out.removesuffix("\n")

    def stage(self, *paths: str) -> Repo:
        """``git add``; everything when no path is named."""
        self.git("add", "-A", "--", *paths)
        return self

    def commit(self, message: str = "Change", *, at: float | None = None, stage: bool = True) -> Repo:
        """Commit everything; ``at`` is the committer's time in seconds since the epoch."""
        if stage:
            self.stage()
        when = f"{int(at if at is not None else self._tick())} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message, env=dates)
        return self

    def _tick(self) -> float:
        self._clock[0] += COMMIT_EVERY
        return self._clock[0]

    def branch(self, name: str, start: str = "HEAD") -> Repo:
        """Make a branch and switch to it."""
        self.git("switch", "-q", "-c", name, start)
        return self

    def switch(self, name: str) -> Repo:
        """Switch to a branch (a commit: detached)."""
        self.git("checkout", "-q", name)
        return self

    def worktree(self, name: str, branch: str | None = None) -> Repo:
        """Add a linked worktree beside this one, on a new branch."""
        path = self.root.parent / name
        self.git("worktree", "add", "-q", "-b", branch or name, path)
        return Repo(path.resolve(), self._clock)

    def clone(self, name: str = "clone", *options: str) -> Repo:
        """Clone this repository into a folder beside it."""
        path = self.root.parent / name
        run(["git", "clone", "-q", *options, self.root, path], self.root.parent).check()
        return Repo(path.resolve(), self._clock)

    def remote(self, name: str = "origin") -> Repo:
        """Make a bare repository beside this one and push all branches there; returns the bare one."""
        bare = Repo.create(self.root.parent / f"{self.root.name}-{name}.git", bare=True)
        self.git("remote", "add", name, bare.root)
        self.git("push", "-q", name, "--all")
        self.git("fetch", "-q", name)
        return bare

    def submodule(self, other: Repo, path: str) -> Repo:
        """Add another repository as a submodule (not committed)."""
        self.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", other.root, path)
        return Repo(self.path(path), self._clock)

    def nested(self, path: str) -> Repo:
        """Make a repository inside the worktree that is no submodule."""
        return Repo.create(self.path(path))

    @property
    def head(self) -> str:
        """The commit id of HEAD."""
        return self.git("rev-parse", "HEAD")

    @property
    def common_dir(self) -> Path:
        """The common git folder."""
        return Path(self.git("rev-parse", "--path-format=absolute", "--git-common-dir")).resolve()

    @property
    def home(self) -> Path:
        """Passdown's own folder (it may not exist)."""
        return self.common_dir / "passdown"

    # processes
    def run(self, *argv: str, env: Mapping[str, str | None] | None = None, stdin: bytes = b"") -> Result:
        """Run any program here, without a terminal."""
        return run(argv, self.root, env, stdin)

    def passdown(self, *args: str, env: Mapping[str, str | None] | None = None, stdin: bytes = b"") -> Result:
        """Run the installed ``passdown`` here, without a terminal."""
        return run([PASSDOWN, *args], self.root, env, stdin)

    def passdown_at_terminal(self, *args: str, keys: str = "", env: Mapping[str, str | None] | None = None) -> Result:
        """Run ``passdown`` here at a pseudo-terminal and type ``keys``."""
        return run_at_terminal([PASSDOWN, *args], self.root, keys, env)


def _know_files_again(root: Path) -> None:
    """Put into the index what tells git that the copied files are those that it knows (index version 2 and SHA-1)."""
    index = root / ".git/index"
    data = bytearray(index.read_bytes())
    signature, version, count = struct.unpack_from(">4s2I", data)
    assert (signature, version) == (b"DIRC", 2)
    at = 12
    for _ in range(count):
        end = data.index(0, at + 62)
        seen = (root / os.fsdecode(bytes(data[at + 62 : end]))).lstat()
        changed, written = divmod(seen.st_ctime_ns, 10**9), divmod(seen.st_mtime_ns, 10**9)
        struct.pack_into(">6I", data, at, *changed, *written, seen.st_dev & 0xFFFFFFFF, seen.st_ino & 0xFFFFFFFF)
        at += (end - at + 8) & ~7
    data[-20:] = hashlib.sha1(data[:-20]).digest()
    index.write_bytes(data)


def stamp(seconds: float) -> str:
    """Seconds since the epoch as the agents write them: 2026-03-01T10:00:00.000Z."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
