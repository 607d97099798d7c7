"""What the reflogs say: which commits were made in which worktree, and where HEAD was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from passdown.rules.patterns import lazy
from passdown.workspace.git import GitError
from passdown.workspace.place import Place, user_git_at

# The reflog's words for an entry whose new value is a commit that git made at that moment.
_MADE = lazy(
    r"(?:commit(?: \([a-z]+\))?|cherry-pick|revert|am"
    r"|(?:rebase|pull)[^:]* \((?:pick|reword|edit|squash|fixup|continue)\)"
    r"|(?:merge|pull)[^:]*: Merge made|commit-tree)(?=[: ]|$)"
)

_CHECKOUT = "checkout: moving from "
_ID = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Moved(Struct, frozen=True):
    """One entry: HEAD's new value and git's own words for the move."""

    commit: str
    how: str


def moves(place: Place) -> int:
    """How many entries HEAD's reflog of this worktree has."""
    return len(_walk(place, place.git_dir))


def made_here(place: Place, after: int) -> set[str]:
    """Commits made in this worktree since its HEAD had moved ``after`` times.

    By position, not by time: an entry's time is the committer date, which any caller can set.
    """
    entries = _walk(place, place.git_dir)
    return {moved.commit for moved in entries[: max(len(entries) - after, 0)] if _MADE.match(moved.how)}


def made_on(place: Place, after: int, branch: str | None) -> set[str]:
    """As :func:`made_here`, while HEAD was on the branch, or detached from it; None: wherever it was."""
    entries = _walk(place, place.git_dir)
    at, found = branch, set()
    for moved in reversed(entries[: max(len(entries) - after, 0)]):
        if moved.how.startswith(_CHECKOUT):
            to = moved.how.rpartition(" to ")[2]
            at = at if branch is None or _ID.fullmatch(to) else to
        elif at == branch and _MADE.match(moved.how):
            found.add(moved.commit)
    return found


def before(place: Place, after: int) -> set[str]:
    """What HEAD of this worktree was until it had moved ``after`` times."""
    entries = _walk(place, place.git_dir)
    return {moved.commit for moved in entries[max(len(entries) - after, 0) :]}


def everywhere(place: Place) -> set[str]:
    """What HEAD ever was in any worktree of this repository, as far as the reflogs tell."""
    linked = place.common_dir / "worktrees"
    folders = {place.git_dir, place.common_dir, *(linked.iterdir() if linked.is_dir() else [])}
    return {moved.commit for folder in folders if (folder / "HEAD").exists() for moved in _walk(place, folder)}


def made_in_other_worktrees(place: Place) -> set[str]:
    """Commits that were made in another worktree of this repository, as the others' reflogs show."""
    linked = place.common_dir / "worktrees"
    folders = [place.common_dir, *(sorted(linked.iterdir()) if linked.is_dir() else [])]
    others = [folder for folder in folders if folder != place.git_dir and (folder / "HEAD").exists()]
    return {moved.commit for folder in others for moved in _walk(place, folder) if _MADE.match(moved.how)}


def _walk(place: Place, git_dir: Path) -> list[Moved]:
    """The entries of a worktree's HEAD, newest first; none where it has no reflog. Walked once."""
    return place.seen.once(("reflog", git_dir), lambda: list(_entries(place, git_dir)))


def _entries(place: Place, git_dir: Path) -> Iterator[Moved]:
    """From the file that git keeps where references are files; where they are a table, from git itself."""
    if not _in_a_table(git_dir):
        yield from _from_file(git_dir / "logs" / "HEAD")
        return
    plain = ("--no-show-signature", "--no-notes", "--no-decorate", "--no-patch", "--no-color")
    git = user_git_at(git_dir, place.root)
    try:
        told = git.run("log", "-g", "-z", *plain, "--format=%H %gs", "HEAD", "--")
    except GitError:  # an unborn branch, or entries whose commits are gone
        return
    for record in os.fsdecode(told).split("\0"):
        commit, _, how = record.partition(" ")
        if commit:
            yield Moved(commit, how)


def _from_file(path: Path) -> Iterator[Moved]:
    """A line an entry: ``old new who when``, a tab and git's words (gitformat: "reflog")."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in reversed(lines):
        head, _, how = line.partition(b"\t")
        ids = head.split(b" ", 2)
        if len(ids) > 2:  # noqa: PLR2004 - one that was cut short names no commit
            yield Moved(ids[1].decode("ascii", "replace"), os.fsdecode(how))


def _in_a_table(git_dir: Path) -> bool:
    """Whether the references are kept in a table instead of files."""
    return (git_dir / "HEAD").read_bytes().strip() == b"ref: refs/heads/.invalid"
