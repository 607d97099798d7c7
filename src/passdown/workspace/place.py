"""Where a command runs: one worktree of one repository, found without running anything that it configures."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.workspace.git import Git, GitError, zsplit


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
    bare, root, git_dir, common_dir, object_format = _layout(here, start)
    if bare or root is None:
        raise PassdownError(f"no worktree here: {start} is inside a bare repository", "run this in a worktree of it")
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
        worktree_id=hashlib.sha256(os.fsencode(git_dir)).hexdigest()[:16],
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
    return here.run("rev-parse", "--path-format=absolute", *wanted, *paths, allow=(0, 128)).splitlines()


def _layout(here: Git, start: Path) -> tuple[bool, Path | None, Path, Path, str]:
    """``(no worktree, worktree's root, git dir, common dir, object format)``."""
    lines = _layout_lines(here)
    if len(lines) == _LINES and lines[1:3] == [b"false", b"true"]:
        return False, _real(lines[5]), _real(lines[3]), _real(lines[4]), lines[0].decode("ascii")
    # No worktree, or a path with a newline: one process for each.
    facts = here.start("rev-parse", "--show-object-format", "--is-bare-repository", "--is-inside-work-tree")
    paths = [
        here.start("rev-parse", "--path-format=absolute", what)
        for what in ("--absolute-git-dir", "--git-common-dir", "--show-toplevel")
    ]
    outputs = [running.process.communicate()[0].removesuffix(b"\n") for running in paths]
    try:
        object_format, bare, inside = facts.finish().decode("ascii").split()
    except GitError as error:
        raise PassdownError(f"no git repository here: {start}", _reason(error)) from error
    git_dir, common, root = outputs
    usable = inside == "true" and bare == "false" and bool(root)
    return not usable, _real(root) if usable else None, _real(git_dir), _real(common), object_format


def _reason(error: GitError) -> str:
    said = error.message.partition("fatal: ")[2]
    return "" if not said or said.startswith("not a git repository") else f"git says: {said}"


def _real(path: bytes) -> Path:
    return Path(os.path.realpath(os.fsdecode(path)))


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
