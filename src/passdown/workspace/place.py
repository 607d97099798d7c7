"""Where a command runs: one worktree of one repository, found without running anything that it configures."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

from msgspec import Struct, field

from passdown.errors import PassdownError
from passdown.workspace.git import Git, GitError, check_git, zsplit
from passdown.workspace.identity import worktree_id

T = TypeVar("T")


class Seen:
    """What git was asked about a place: a command looks once. Only what cannot change while it runs, or may not."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] = {}
        self._asking: dict[Hashable, Lock] = {}

    def once(self, key: Hashable, ask: Callable[[], T]) -> T:
        """The answer of ``ask`` under ``key``, asked for at most once; what raises is asked again.

        Of two threads that want it the second waits.
        """
        if key not in self._kept:
            with self._asking.setdefault(key, Lock()):
                if key not in self._kept:
                    self._kept[key] = ask()
        return cast("T", self._kept[key])

    def __eq__(self, other: object) -> bool:
        """What was asked so far is no part of what a place is."""
        return isinstance(other, Seen)

    def __hash__(self) -> int:
        """As it must be beside :meth:`__eq__`."""
        return hash(Seen)


class Place(Struct, frozen=True):
    """One worktree as it was looked at. Paths are real paths; ``home`` is created by the first write only.

    ``settings``: the repository's own git settings as data. Commits, branches and settings are of that one look.
    """

    root: Path
    git_dir: Path
    common_dir: Path
    home: Path
    worktree_id: str
    object_format: str
    branch: str | None
    head: str | None
    repository: str
    settings: Mapping[str, str] = field(default_factory=dict)
    seen: Seen = field(default_factory=Seen)


def find_place(start: Path) -> Place:
    """The worktree around ``start``; PassdownError where there is none."""
    return Looking(start).place()


class Looking:
    """A look at the worktree around ``start`` that begins at once: who asks for the answer waits for git."""

    def __init__(self, start: Path) -> None:
        self._start = start
        self._facts = Git(start).start("rev-parse", *_FACTS, *_PATHS, *_HEAD)
        self._settings = Git(start).start(*_LIST)
        self._lock = Lock()
        self._place: Place | None = None

    def place(self) -> Place:
        """The worktree, waited for once; PassdownError where there is none."""
        with self._lock:
            if self._place is None:
                told, settings = (each.process.communicate()[0] for each in (self._facts, self._settings))
                found = _at_once(told, self._start) if not self._facts.process.returncode else None
                known = found is not None and not self._settings.process.returncode
                self._place = _place(found or _one_by_one(self._start), settings if known else None)
            return self._place


def _place(found: _Found, settings: bytes | None) -> Place:
    """The place as found, with git's settings as they were listed; None: they are still to be listed."""
    if not (found.common_dir / "passdown").exists():
        check_git()  # once in a clone: a process less for every later command
    known = config_at(user_git_at(found.git_dir, found.root)) if settings is None else _settings(settings)
    place = Place(
        root=found.root,
        git_dir=found.git_dir,
        common_dir=found.common_dir,
        home=found.common_dir / "passdown",
        worktree_id=worktree_id(found.git_dir, found.common_dir / "passdown"),
        object_format=found.object_format,
        branch=found.branch,
        head=found.head,
        repository=_repository(known, found.common_dir),
        settings=known,
    )
    if found.tree is not None:
        place.seen.once(("tree", found.head), lambda: found.tree)
    return place


class _Found(Struct, frozen=True):
    """A worktree as git describes it."""

    root: Path
    git_dir: Path
    common_dir: Path
    object_format: str
    branch: str | None
    head: str | None
    tree: str | None = None  # of HEAD's commit, where it is known already


_FACTS = ("--show-object-format", "--is-bare-repository", "--is-inside-work-tree")
_PATHS = ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
_HEAD = ("HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD")
_LINES = 9
_LIST = ("config", "-z", "--list", "--show-scope")


def _at_once(told: bytes, start: Path) -> _Found | None:
    """All answers of one process, a line each; None where a line is missing or one too many.

    That is: no worktree, no commit yet, a path with a newline, a git that does not know the question.
    """
    lines = told.splitlines()
    if len(lines) != _LINES or lines[1:3] != [b"false", b"true"]:
        return None
    branch = os.fsdecode(lines[8])
    return _Found(
        root=_real(lines[5], start),
        git_dir=_real(lines[3], start),
        common_dir=_real(lines[4], start),
        object_format=lines[0].decode("ascii"),
        branch=branch.removeprefix("refs/heads/") if branch != "HEAD" else None,
        head=lines[6].decode("ascii"),
        tree=lines[7].decode("ascii"),
    )


def _one_by_one(start: Path) -> _Found:
    """The same with a process for each answer; PassdownError where there is no worktree."""
    root, git_dir, common_dir, object_format = _layout(Git(start), start)
    user = user_git_at(git_dir, root)
    branch = user.line("symbolic-ref", "--quiet", "HEAD")
    return _Found(
        root=root,
        git_dir=git_dir,
        common_dir=common_dir,
        object_format=object_format,
        branch=branch.removeprefix("refs/heads/") if branch else None,
        head=user.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
    )


def _layout(here: Git, start: Path) -> tuple[Path, Path, Path, str]:
    """``(worktree's root, git dir, common dir, object format)``; PassdownError where there is no worktree."""
    check_git()
    facts = here.start("rev-parse", *_FACTS)
    paths = [here.start("rev-parse", what) for what in _PATHS]
    outputs = [running.process.communicate()[0].removesuffix(b"\n") for running in paths]
    try:
        object_format, bare, inside = facts.finish().decode("ascii").split()
    except GitError as error:
        raise PassdownError(f"no git repository here: {start}", _reason(error)) from error
    git_dir, common, root = (_real(output, start) if output else None for output in outputs)
    if inside != "true" or root is None or git_dir is None or common is None:
        raise _no_worktree(start, git_dir, bare=bare == "true")
    return root, git_dir, common, object_format


def _no_worktree(start: Path, git_dir: Path | None, *, bare: bool) -> PassdownError:
    """Why there is none here: a bare repository, the git folder itself, or a worktree that is set elsewhere."""
    if bare or git_dir is None:
        return PassdownError(f"no worktree here: {start} is inside a bare repository", "run this in a worktree of it")
    elsewhere = config_at(user_git_at(git_dir, git_dir)).get("core.worktree")
    if elsewhere and not start.resolve().is_relative_to(git_dir):
        set_ = f"core.worktree of this repository is {elsewhere}"
        return PassdownError(f"no worktree here: {set_}", "git config --unset core.worktree, where it is a left-over")
    return PassdownError(f"no worktree here: {start} is inside a git folder", "run this in the worktree itself")


def _reason(error: GitError) -> str:
    said = error.message.partition("fatal: ")[2]
    known = not said or said.startswith("not a git repository")
    return "go to one, or begin one: git init" if known else f"git says: {said}"


def _real(path: bytes, start: Path) -> Path:
    """The real path; what git gives relative counts from where it ran."""
    return Path(os.path.realpath(os.path.join(start, os.fsdecode(path))))


def user_git_at(git_dir: Path, cwd: Path) -> Git:
    """The user's own git dir, for what reads references and settings as data and nothing else."""
    return Git(cwd, {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(cwd)})


def user_git(place: Place) -> Git:
    """As :func:`user_git_at`, of the place. Nothing that reads the index or an object may go through it."""
    return user_git_at(place.git_dir, place.root)


def config_at(git: Git) -> dict[str, str]:
    """The repository's own settings as data, the last value of each key."""
    return _settings(git.run(*_LIST))


def _settings(listed: bytes) -> dict[str, str]:
    settings = {}
    records = zsplit(listed)
    for scope, record in zip(records[::2], records[1::2], strict=True):
        key, _, value = os.fsdecode(record).partition("\n")
        if scope != b"command":  # what we set ourselves
            settings[key] = value
    return settings


def _repository(settings: dict[str, str], common_dir: Path) -> str:
    """The first remote's address without user and token, else the folder's name."""
    remotes = {key: url for key, url in settings.items() if key.startswith("remote.") and key.endswith(".url")}
    url = remotes.get("remote.origin.url") or next(iter(remotes.values()), "")
    if url:
        return scrub_url(url)
    folder = common_dir.parent if common_dir.name in {".git", ".bare"} else common_dir
    return folder.name.removesuffix(".git")


def scrub_url(url: str) -> str:
    """The address without user name, password, query and fragment (J3)."""
    clean = re.sub(r"^([a-z][a-z0-9+.-]*://)[^/]*@", r"\1", url, flags=re.IGNORECASE)
    if "://" in clean:
        clean = re.split(r"[?#]", clean, maxsplit=1)[0]
    elif re.match(r"^[^/]+@[^/]+:", clean):
        clean = clean.rpartition("@")[2]
    return clean
