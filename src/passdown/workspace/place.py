"""Where a command runs: one worktree of one repository, found without running anything that it configures."""

from __future__ import annotations

import os
import re
from pathlib import Path

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.workspace.git import Git, GitError, check_git, zsplit
from passdown.workspace.identity import worktree_id


class Place(Struct, frozen=True):
    """One worktree. Paths are real paths; ``home`` is created by the first write only."""

    root: Path
    git_dir: Path
    common_dir: Path
    home: Path
    worktree_id: str
    object_format: str
    branch: str | None
    head: str | None
    repository: str


def find_place(start: Path) -> Place:
    """The worktree around ``start``; PassdownError where there is none."""
    here = Git(start)
    root, git_dir, common_dir, object_format = _layout(here, start)
    user = user_git_at(git_dir, root)
    head = user.start("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    branch = user.start("symbolic-ref", "--quiet", "HEAD")
    settings = config_at(user)
    commit, _ = head.process.communicate()
    name, _ = branch.process.communicate()
    return Place(
        root=root,
        git_dir=git_dir,
        common_dir=common_dir,
        home=common_dir / "passdown",
        worktree_id=worktree_id(git_dir, common_dir / "passdown"),
        object_format=object_format,
        branch=os.fsdecode(name.strip()).removeprefix("refs/heads/") or None,
        head=commit.decode("ascii").strip() or None,
        repository=_repository(settings, common_dir),
    )


_LINES = 6


def _layout_lines(here: Git) -> list[bytes]:
    """Three facts and three paths, each on its line; fewer where there is no worktree."""
    wanted = ("--show-object-format", "--is-bare-repository", "--is-inside-work-tree")
    paths = ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
    return here.run("rev-parse", *wanted, *paths, allow=(0, 128, 129)).splitlines()


def _layout(here: Git, start: Path) -> tuple[Path, Path, Path, str]:
    """``(worktree's root, git dir, common dir, object format)``; PassdownError where there is no worktree."""
    lines = _layout_lines(here)
    if len(lines) == _LINES and lines[1:3] == [b"false", b"true"]:
        return _real(lines[5], start), _real(lines[3], start), _real(lines[4], start), lines[0].decode("ascii")
    # No worktree, a path with a newline, or a git that does not know the question: one process for each.
    check_git()
    facts = here.start("rev-parse", "--show-object-format", "--is-bare-repository", "--is-inside-work-tree")
    paths = [here.start("rev-parse", what) for what in ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")]
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
    return "" if not said or said.startswith("not a git repository") else f"git says: {said}"


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
    settings = {}
    records = zsplit(git.run("config", "-z", "--list", "--show-scope"))
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
