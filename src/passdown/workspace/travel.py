"""The sealed work on its way to another clone: one commit whose tree is the sealed tree, on top of the sealed HEAD."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from shlex import quote

from msgspec import Struct

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.diff import tree_diff
from passdown.workspace.git import Git, GitError
from passdown.workspace.history import resolve
from passdown.workspace.keep import hold
from passdown.workspace.place import Place, user_git
from passdown.workspace.private import alternates, ensure, scratch_at
from passdown.workspace.store_git import ensure_store, store_git
from passdown.workspace.take import take
from passdown.workspace.transport import Talk
from passdown.workspace.worktrees import holder, linked

WORK = "refs/passdown/work/"
"""At a remote: a packet's digest names the commit that carries its work."""
_HERE = "refs/work"
_CARE = ("-c", "core.protectNTFS=true", "-c", "core.protectHFS=true")
"""What came from elsewhere writes no name that some file system takes for ``.git``."""


class Sealed(Struct, frozen=True):
    """What is sent: the packet's digest, its tree, its HEAD (None: no commit yet) and when it was sealed."""

    packet: str
    tree: str
    head: str | None
    at: str


class Piece(Struct, frozen=True):
    """One object that the remote lacks: a file's content, or a commit with ``path`` ""."""

    id: str
    path: str
    size: int


def carrier(git: Git, sealed: Sealed) -> str:
    """Write the commit that carries the work; the same packet gives the same commit in every clone."""
    when = f"Passdown <passdown@localhost> {int(datetime.fromisoformat(sealed.at).timestamp())} +0000"
    parent = f"parent {sealed.head}\n" if sealed.head else ""
    text = f"tree {sealed.tree}\n{parent}author {when}\ncommitter {when}\n\nWork of packet {sealed.packet}\n"
    return git.run("hash-object", "-t", "commit", "-w", "--stdin", data=text.encode()).decode("ascii").strip()


def there_already(talk: Talk) -> dict[str, str]:
    """Every reference of the remote, name to id."""
    said = os.fsdecode(talk.run("ls-remote", "--refs", "x"))
    return {ref: name for name, ref in (line.split("\t", 1) for line in said.splitlines())}


def pieces(git: Git, commits: Sequence[str], known: Collection[str]) -> list[Piece]:
    """The files and commits that whoever has ``known`` lacks, of what the commits reach."""
    asked = "".join(f"{name}\n" for name in sorted(known))
    told = git.run("cat-file", "--batch-check=%(objecttype) %(objectname)", data=asked.encode()).decode(
        "ascii", "replace"
    )
    here = [line.split()[1] for line in told.splitlines() if line.startswith(("commit ", "tag "))]
    wanted = "".join(f"{name}\n" for name in [*commits, *(f"^{name}" for name in here)])
    listed = git.run("rev-list", "--objects", "--stdin", data=wanted.encode())
    rows = [
        (name.decode("ascii"), os.fsdecode(path))
        for name, _, path in (row.partition(b" ") for row in listed.splitlines())
    ]
    sizes = git.run(
        "cat-file", "--batch-check=%(objecttype) %(objectsize)", data="".join(f"{name}\n" for name, _ in rows).encode()
    )
    kinds = (line.split() for line in sizes.decode("ascii").splitlines())
    return [
        Piece(name, path, int(size))
        for (name, path), (kind, size) in zip(rows, kinds, strict=True)
        if kind in ("blob", "commit")
    ]


def contents(git: Git, some: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:
    """Each piece with its bytes, in one process."""
    out = git.run("cat-file", "--batch", data="".join(f"{piece.id}\n" for piece in some).encode()) if some else b""
    at = 0
    for piece in some:
        start = out.index(b"\n", at) + 1
        yield piece, out[start : start + piece.size]
        at = start + piece.size + 1


def receive(place: Place, talk: Talk, sealed: Sealed) -> bool:
    """Bring a packet's work in: its tree into the store, its commits into the repository; False: it is not there.

    PassdownError where the remote has something else under that name than what was sealed.
    """
    listed = talk.run("ls-remote", "--refs", "x", WORK + sealed.packet).split()
    if not listed:
        return False
    quiet = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules")
    talk.run("fetch", *quiet, "x", f"+{WORK}{sealed.packet}:{_HERE}")
    came = talk.git.run("rev-parse", _HERE).decode("ascii").strip()
    if came != carrier(talk.git, sealed):
        raise PassdownError(
            f"{talk.remote.name} has other work under {sealed.packet[:7]} than what was sealed",
            "nothing of it was taken; whoever sealed it: passdown sync --with-work",
            EXIT_UNDECIDED,
        )
    _keep(place, talk, sealed.tree)
    if sealed.head is not None and resolve(place, sealed.head) is None:
        _lend(place, talk, sealed.head)
    return True


def _keep(place: Place, talk: Talk, tree: str) -> None:
    """The tree's whole closure into the store, held by a reference."""
    store = ensure_store(place.home, place.object_format)
    inside = store_git(store)
    sources = alternates([talk.folder / "objects", place.common_dir / "objects"])
    packing = inside.having(GIT_ALTERNATE_OBJECT_DIRECTORIES=sources)
    pack = str(store / "objects/pack/pack")
    packing.run("pack-objects", "--revs", "--quiet", "--non-empty", "--window=0", pack, data=f"{tree}\n".encode())
    inside.run("rev-list", "--objects", "--quiet", tree)
    hold(store, tree)


def _lend(place: Place, talk: Talk, head: str) -> None:
    """The commits that the repository lacks into its own objects: a branch can begin at the sealed HEAD."""
    tips = user_git(place).run("for-each-ref", "--format=%(objectname)").decode("ascii").split()
    wanted = "".join(f"{name}\n" for name in [head, *(f"^{tip}" for tip in sorted(set(tips)))])
    pack = str(place.common_dir / "objects/pack/pack")
    talk.git.run("pack-objects", "--revs", "--quiet", "--non-empty", pack, data=wanted.encode())


def tips_of(place: Place) -> dict[str, str]:
    """Names for the commits that this clone has of the project: nothing of it is fetched again."""
    told = user_git(place).run("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes", "refs/tags")
    names = sorted(set(told.decode("ascii").split()))
    return {f"refs/known/{number:06}": name for number, name in enumerate(names)}


def unwritable(folder: Path) -> PassdownError | None:
    """Why no worktree can be made there; None where it can."""
    try:
        if not any(folder.iterdir()):
            return None
        return PassdownError(f"{folder} is not empty", "name a folder that is not there yet: nothing is overwritten")
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return PassdownError(f"{folder} is a file", "name a folder that is not there yet")


def make_worktree(place: Place, folder: Path, branch: str | None, head: str) -> None:
    """An empty linked worktree on the branch at ``head``: no hook, no filter runs. PassdownError with the way out."""
    git = user_git(place)
    at = git.line("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}") if branch else None
    held = holder(place, branch) if branch else None
    if branch is not None and at is not None:
        _refuse_taken(place, branch, held, (at, head))
    on = ["--detach", str(folder), head] if branch is None else [str(folder), branch]
    on = ["-b", str(branch), str(folder), head] if branch is not None and at is None else on
    stale = any(was == folder for _, was in linked(place)) and held is None
    try:
        git.run("worktree", "add", "--no-checkout", "--quiet", *(["--force"] if stale else []), *on)
    except GitError as error:
        said = error.message.partition("fatal: ")[2] or error.message
        raise PassdownError(
            f"no worktree at {folder}: {said}", "git worktree list shows those that are there"
        ) from error


def _refuse_taken(place: Place, branch: str, held: Path | None, commits: tuple[str, str]) -> None:
    """PassdownError where the branch is at another commit than the packet's, or checked out: one worktree has it.

    ``commits``: the branch's and the packet's.
    """
    at, head = commits
    free = f"git{'' if held == place.root else f' -C {quote(str(held))}'} switch --detach" if held is not None else ""
    if at == head:
        if held is not None:
            told = f"{branch} is checked out in {held}: a branch lives in one worktree at a time"
            raise PassdownError(told, f"{free}; then run this again")
        return
    if user_git(place).ok("merge-base", "--is-ancestor", at, head):
        told, ways = "behind", [free, f"git branch -f {quote(branch)} {head[:12]}"]
    else:
        told, ways = "at another commit than", [f"git branch -m {quote(branch)} {quote(f'{branch}-mine')}"]
    way = " && ".join(filter(None, ways))
    raise PassdownError(f"your branch {branch} is {told} the packet's {head[:9]}", f"{way}; then run this again")


def readable(place: Place, tree: str) -> Git:
    """Git with an index of its own that holds the sealed tree, and settings by which nothing is converted.

    PassdownError where something in it is not here, or has a name that nobody may write, such as ``.git``.
    """
    scratch = scratch_at(place)
    ensure(scratch)
    git = scratch.view().having(GIT_INDEX_FILE=str(scratch.folder / f"work-{tree[:12]}"))
    try:
        git.run(*_CARE, "read-tree", tree)
    except GitError as error:
        said = error.message.partition("): ")[2]
        raise PassdownError(f"cannot write out {tree[:12]}: {said}", code=EXIT_UNDECIDED) from error
    return git


def fill(place: Place, tree: str, held: Git) -> list[str]:
    """Write the sealed tree into an empty worktree byte for byte; its index is that of HEAD. What differs ([]: equal).

    ``held``: what :func:`readable` gave.
    """
    try:
        there = held.inside(place.root).having(GIT_WORK_TREE=str(place.root))
        there.run(*_CARE, "checkout-index", "--all", "--quiet")
        user_git(place).run("read-tree", "HEAD")
    except GitError as error:
        said = error.message.partition("): ")[2]
        raise PassdownError(f"cannot fill {place.root}: {said}", code=EXIT_UNDECIDED) from error
    return [change.path for change in tree_diff(place, take(place).tree, tree)]
