"""Which worktree of this repository a folder lies in, and the rules that bind it now."""

from __future__ import annotations

import os
import time

from .rules import Rules
from .scan import Json, loads, read, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

IN_A_TABLE = "ref: refs/heads/.invalid"


class Stop(Exception):  # noqa: N818 -- it stops this process, it is no error of a program
    """End with a line for the agent and exit code 2."""


def stands(payload: Json) -> str:
    """The real path of the folder that the agent stands in."""
    return os.path.realpath(text_of(payload.get("cwd")) or ".")


def worktree(start: str, common: str) -> tuple[str, str] | None:
    """``(root, git dir)`` of this repository's worktree around a real path; nested repositories are looked past.

    A ``.git`` that git would not have put there makes no worktree of a folder within one. Stop where git's own folder
    was made to lead elsewhere: git would go on in another repository, and nothing would be judged.
    """
    here, doubtful = start, None
    while True:
        git_dir = _git_dir(here)
        if git_dir is not None:
            leads = _common_of(git_dir)
            if leads == common:
                if _put_by_git(here, git_dir, common):
                    return here, git_dir
                doubtful = here, git_dir
            elif git_dir == common or git_dir.startswith(common + "/worktrees/"):
                raise Stop(f"{git_dir}/commondir leads to another repository; a person puts it back")
        above = os.path.dirname(here)
        if above == here:
            return doubtful
        here = above


def _put_by_git(root: str, git_dir: str, common: str) -> bool:
    """Whether the git dir itself says that this is its worktree; a main one's lies in it."""
    dot = root.rstrip("/") + "/.git"
    if git_dir == common:
        return git_dir == dot
    try:
        back = os.fsdecode(read(git_dir + "/gitdir").strip())
    except OSError:
        return False
    back = os.path.join(git_dir, back)
    return os.path.join(os.path.realpath(os.path.dirname(back)), os.path.basename(back)) == dot


def _git_dir(folder: str) -> str | None:
    dot = folder.rstrip("/") + "/.git"
    if os.path.isdir(dot):
        return os.path.realpath(dot)
    try:
        said = read(dot)
    except OSError:
        return None
    if not said.startswith(b"gitdir:"):
        return None
    return os.path.realpath(os.path.join(folder, os.fsdecode(said[7:].strip())))


def _common_of(git_dir: str) -> str:
    try:
        said = os.fsdecode(read(git_dir + "/commondir").strip())
    except OSError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, said))


def branch_of(git_dir: str) -> str | None:
    """The branch's name, None where HEAD is detached."""
    path = git_dir + "/HEAD"
    head = os.fsdecode(read(path).strip())
    if head == IN_A_TABLE:
        head = asked(git_dir)
    elif not head.startswith("ref:") and os.path.islink(path):  # as git once kept it
        head = "ref:" + os.readlink(path)
    return head[4:].strip().removeprefix("refs/heads/") if head.startswith("ref:") else None


def asked(git_dir: str) -> str:
    """HEAD as git tells it, where references are kept in a table; Stop where it cannot be told."""
    import subprocess  # dear, and only here

    argv = ["git", "--git-dir", git_dir, "symbolic-ref", "--quiet", "HEAD"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(argv, env=env, capture_output=True, check=False)
    except OSError as error:
        raise Stop(f"git cannot say which branch this is ({error}); a person runs: passdown doctor") from error
    if done.returncode not in (0, 1):
        raise Stop("git cannot say which branch this is; a person runs: passdown doctor")
    return "ref:" + os.fsdecode(done.stdout.rstrip(b"\n")) if done.returncode == 0 else ""


def logged(git_dir: str) -> Iterator[str]:
    """The messages of HEAD's log as git tells them, newest first, where they are kept in a table."""
    import subprocess  # as above

    argv = ["git", "--git-dir", git_dir, "log", "-g", "-z", "-n", "1000", "--format=%gs", "HEAD", "--"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    told = subprocess.run(argv, env=env, capture_output=True, check=False).stdout
    return iter(os.fsdecode(told).split("\0"))


def armed(folder: str) -> bool:
    """Whether a boundary is armed in some worktree."""
    try:
        return any(name.endswith(".json") for name in os.listdir(folder + "/rules"))
    except OSError:
        return False


def in_force(folder: str, root: str, git_dir: str, common: str) -> Rules | None:
    """The rules that bind this worktree on its branch now; None: none, asleep, switched off or run out."""
    key = "main" if git_dir == common else os.path.basename(git_dir)
    try:
        stored = loads(read(f"{folder}/rules/{key}.json").decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    if not isinstance(stored, dict):
        raise Stop("the compiled rules cannot be read")
    branches = stored["branches"]
    branch = branch_of(git_dir)
    key = "" if branch is None else "/" + branch
    if branch is None and key not in branches:  # a detached HEAD is no way out
        key = "/" + (_left(git_dir, [name[1:] for name in branches]) or "")
    found = branches.get(key)
    if found is None and branch is not None and {"", ".", ".."}.intersection(branch.split("/")):
        raise Stop(f"HEAD names no branch that git could have ({branch!r}); a person runs: git switch BRANCH")
    now = time.time()
    if found is None or now < stored["off_until"] or now > found["until"]:
        return None
    return Rules(found, root, common, key)


def _left(git_dir: str, bound: list[str]) -> str | None:
    from .left import left_branch  # a HEAD that is detached

    table = read(git_dir + "/HEAD").strip() == IN_A_TABLE.encode()
    return left_branch(git_dir, bound, logged(git_dir) if table else None)
