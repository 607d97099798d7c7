"""Commits that leave a clone, or left it, without being HEAD's: pushed and taken back here, or made by no worktree.

Told by who made them: a commit of this worktree while HEAD was on the task's branch, and one that no worktree's HEAD
ever was, on top of the commit where the work began. What was made on other branches or elsewhere is others'.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from passdown.guard.lineage import Start
from passdown.workspace import history, reflog
from passdown.workspace.history import Commit
from passdown.workspace.place import Place, user_git

_BY_PUSH = b"\tupdate by push"
_MOST_FILES, _TAIL = 200, 1 << 16


def leaving(place: Place, start: Start, branch: str | None, tips: Sequence[str]) -> list[Commit]:
    """Of commits that are about to be pushed those that this work made and HEAD does not hold, oldest first."""
    beside = [commit for tip in tips if (commit := history.resolve(place, tip)) not in (None, place.head)]
    if not beside:
        return []
    there = os.fsdecode(user_git(place).run("for-each-ref", "--format=%(objectname)", "refs/remotes")).split()
    return _own(place, start, branch, (dict.fromkeys(filter(None, beside)), there))


def left(place: Place, start: Start, branch: str | None, own: Collection[str]) -> list[Commit]:
    """Of commits that were pushed from here those that this work made, a remote holds and HEAD does not, oldest first.

    ``own``: the work's commits that HEAD holds.
    """
    older = reflog.before(place, start.moves)
    values = set(_values(place.common_dir)) - older - {place.head or "", start.head or "", *own}
    known = history.trees_of(place, sorted(values)) if values else {}
    found = _own(place, start, branch, (known, ())) if known else []
    return [commit for commit in found if history.on_remote(place, commit.id)]


def _own(place: Place, start: Start, branch: str | None, over: tuple[Collection[str], Collection[str]]) -> list[Commit]:
    """What the work made of the commits that the first ones have over the others."""
    tips, others = over
    below = [name for name in (place.head, start.head) if name]
    found = history.commits(place, sorted(tips), [*below, *sorted(set(others))])
    made, seen = reflog.made_on(place, start.moves, branch), reflog.everywhere(place)
    unseen = {commit.id for commit in found} - seen
    if unseen and start.head is not None:
        unseen &= history.descendants(place, start.head, sorted(tips))
    return [commit for commit in reversed(found) if len(commit.parents) <= 1 and commit.id in made | unseen]


def _values(common: Path) -> Iterator[str]:
    """What remotes' branches were set to by pushes from here, as their logs tell."""
    logs = sorted(_files(common / "logs" / "refs" / "remotes"), key=lambda found: found[0], reverse=True)
    for _, path in logs[:_MOST_FILES]:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            lines = [line.split(b" ", 2) for line in file.read().splitlines() if line.endswith(_BY_PUSH)]
        yield from (line[1].decode("ascii", "replace") for line in lines if len(line) > 2)  # noqa: PLR2004 - old, new


def _files(folder: Path) -> Iterator[tuple[float, Path]]:
    for top, _, names in os.walk(folder):
        yield from ((path.stat().st_mtime, path) for name in names if (path := Path(top, name)).is_file())


def of_refs(lines: bytes) -> list[str]:
    """The commits that git's pre-push hook is told of: local name, id, remote name, id; zeros are a deletion."""
    told = [line.split() for line in os.fsdecode(lines).splitlines()]
    return [words[1] for words in told if len(words) == 4 and words[1].strip("0")]  # noqa: PLR2004 - as git says it
