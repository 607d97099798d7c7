"""A tree written out as a repository of its own, which borrows the objects that it needs."""

from __future__ import annotations

import os
from pathlib import Path

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.git import Git, GitError, zsplit
from passdown.workspace.place import Place, user_git
from passdown.workspace.private import RAW_ATTRIBUTES, private_at

_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tbare = false
\tfilemode = true
\tsymlinks = true
\tautocrlf = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
_FORMAT = "[extensions]\n\tobjectFormat = {name}\n"


def lenders(place: Place) -> list[Path]:
    """The folders of objects that an unpacked tree borrows from."""
    private = private_at(place)
    folders = [private.user_objects, private.git_dir / "objects", private.store / "objects"]
    return [folder for folder in folders if folder.is_dir()]


def unpack(place: Place, tree: str, commit: str | None, folder: Path) -> None:
    """Write ``tree`` into the empty ``folder``, byte for byte; HEAD is ``commit``, all is in the index.

    Branches and tags are those of ``place``. Nothing of ``place`` is written. PassdownError where content is missing.
    """
    git_dir = folder / ".git"
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        (git_dir / name).mkdir(parents=True)
    sha1 = place.object_format == "sha1"
    config = _CONFIG.format(version=0 if sha1 else 1)
    (git_dir / "config").write_text(config + ("" if sha1 else _FORMAT.format(name=place.object_format)))
    (git_dir / "info/attributes").write_text(RAW_ATTRIBUTES)
    private = private_at(place)
    (git_dir / "objects/info/alternates").write_bytes(
        b"".join(os.fsencode(lender) + b"\n" for lender in lenders(place))
    )
    if private.shallow.exists():
        (git_dir / "shallow").write_bytes(private.shallow.read_bytes())
    named = user_git(place).run("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags")
    remote = user_git(place).run("for-each-ref", "--format=%(objectname) %(refname)", "refs/remotes")
    (git_dir / "packed-refs").write_bytes(named + remote)
    branch = f"ref: refs/heads/{place.branch}" if place.branch and commit in {place.head, None} else commit
    (git_dir / "HEAD").write_text(f"{branch or 'ref: refs/heads/none'}\n")
    git = Git(folder, {"GIT_DIR": str(git_dir), "GIT_WORK_TREE": str(folder)})
    try:
        git.run("read-tree", tree)
        git.run("checkout-index", "--all", "--index", "--quiet")
    except GitError as error:
        message = f"cannot write out {tree[:12]}: {error.message}"
        raise PassdownError(message, "git fetch may bring what is missing", EXIT_UNDECIDED) from error


def changed_in(folder: Path) -> list[str]:
    """What differs in an unpacked tree from what was written there, ignored files aside."""
    git = Git(folder, {"GIT_DIR": str(folder / ".git"), "GIT_WORK_TREE": str(folder)})
    told = git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
    return [os.fsdecode(record[3:]) for record in zsplit(told) if record[1:2] != b" "]
