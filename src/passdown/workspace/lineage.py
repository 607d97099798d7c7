"""Work found again by its content: after amend, rebase, squash, cherry-pick, and what took it back since.

The strongest rule that fits says where it is: the commit itself, its tree, the same change (patch-id), or most of
the same lines in the same files. A commit that two works fit equally well is neither's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from passdown.workspace import diff, patches
from passdown.workspace.patches import Patch
from passdown.workspace.place import Place
from passdown.workspace.private import reading

Rule = Literal["commit", "tree", "patch-id", "files"]
COMMITS = 2000
"""How many commits are looked at, the newest first."""
ALIKE = 0.5
"""Share of a work's lines that commits must bring to be it by :data:`files`."""
APART = 0.2
"""By how much one work must fit a commit better than another one."""
_REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})", re.IGNORECASE)


class Work(Struct, frozen=True):
    """What to look for: the trees before and after, and the commits that held it when it was sealed.

    ``over``: the commit that it was done over; ``head``: HEAD at the end, where all of it was committed (else None).
    """

    name: str
    before: str
    after: str
    over: str | None = None
    head: str | None = None


class Undone(Struct, frozen=True):
    """What took it back: commit, its instant (ISO 8601), and how: ``git revert`` or ``hunks removed``."""

    commit: str
    at: str
    how: str


class Trace(Struct, frozen=True):
    """Where the work is now: the newest commit that brought a part of it, by which rule; ``share`` of its lines."""

    commit: str
    at: str
    rule: Rule
    share: float = 1.0
    undone: Undone | None = None


class _Commit(Struct, frozen=True):
    id: str
    tree: str
    at: str
    message: str


class _History(Struct, frozen=True):
    """The commits that are looked at, newest first, and what each changed."""

    commits: Sequence[_Commit]
    patches: Mapping[str, Patch]
    age: Mapping[str, int]

    def newest(self, names: Sequence[str]) -> str:
        return min(names, key=self.age.__getitem__)


class _Match(Struct, frozen=True):
    commits: tuple[str, ...]
    rule: Rule
    share: float = 1.0


def find(place: Place, works: Sequence[Work], tips: Sequence[str]) -> dict[str, Trace]:
    """Each work that the history of ``tips`` (commits) holds, by its name."""
    past = _history(place, tips, [work.over for work in works])
    changes = dict(
        zip((w.name for w in works), patches.between(place, [(w.before, w.after) for w in works]), strict=True)
    )
    strong = {work.name: match for work in works if (match := _strong(past, work, changes[work.name])) is not None}
    matches = _undisputed(strong)
    taken = {name for match in matches.values() for name in match.commits}
    rest = {work.name: change for work in works if work.name not in strong and (change := changes[work.name])}
    matches |= _alike(past, rest, taken)
    return {name: _trace(place, past, match, changes[name], tips) for name, match in matches.items()}


def _history(place: Place, tips: Sequence[str], over: Sequence[str | None]) -> _History:
    without = [f"^{name}" for name in dict.fromkeys(over) if name] if all(over) else []
    below = _shared(place, [name.removeprefix("^") for name in without])
    asked = "".join(f"{line}\n" for line in [*dict.fromkeys(tips), *([f"^{below}"] if below else [])]).encode()
    form = "--format=%H%x00%T%x00%cI%x00%B%x01"
    told = reading(place).run(
        "log", "--no-show-signature", "--topo-order", f"-n{COMMITS}", form, "--stdin", "--", data=asked
    )
    commits = [
        _Commit(*record.strip().decode("utf-8", "replace").split("\0", 3)) for record in told.split(b"\x01")[:-1]
    ]
    ids = [commit.id for commit in commits]
    return _History(commits, patches.of_commits(place, ids), {name: age for age, name in enumerate(ids)})


def _shared(place: Place, names: Sequence[str]) -> str | None:
    """The commit below all of them; None where there is none."""
    if len(names) < 2:  # noqa: PLR2004 -- one is below itself
        return names[0] if names and reading(place).ok("cat-file", "-e", f"{names[0]}^{{commit}}") else None
    told = reading(place).line("merge-base", "--octopus", *names)
    return told.split()[0] if told else None


def _strong(past: _History, work: Work, change: Patch | None) -> _Match | None:
    """By id, tree or patch-id."""
    if work.head is not None and work.head in past.age:
        return _Match((work.head,), "commit")
    same = [commit.id for commit in past.commits if commit.tree == work.after]
    if same and work.before != work.after:
        return _Match((same[-1],), "tree")  # the oldest: what came after left everything as it was
    if change is None or change.id is None:
        return None
    whole = [name for name, patch in past.patches.items() if patch.id == change.id]
    if whole:
        return _Match((past.newest(whole),), "patch-id")
    return None


def _undisputed(matches: Mapping[str, _Match]) -> dict[str, _Match]:
    """Without those of one change that several works made alike: nothing tells whose commit it is."""
    claims = Counter(match.commits for match in matches.values() if match.rule == "patch-id")
    return {name: match for name, match in matches.items() if match.rule != "patch-id" or claims[match.commits] == 1}


def _alike(past: _History, works: Mapping[str, Patch], taken: set[str]) -> dict[str, _Match]:
    """By most of the same lines in the same files, in one commit or several that nobody has a better claim on."""
    shares = {
        name: {c: share for c, patch in past.patches.items() if c not in taken and (share := _share(change, patch))}
        for name, change in works.items()
    }
    found = {}
    for name, change in works.items():
        mine = {
            commit: share
            for commit, share in shares[name].items()
            if all(share >= other.get(commit, 0.0) + APART for who, other in shares.items() if who != name)
        }
        if mine and (together := _together(change, [past.patches[commit] for commit in mine])) >= ALIKE:
            found[name] = _Match(tuple(mine), "files", together)
    return found


def _share(change: Patch, patch: Patch) -> float:
    """How much of the change the other one is, and the other way round: the smaller of both."""
    common = _common(change, patch)
    mine, other = _lines(change), _lines(patch)
    return common / mine if mine and other and common / other >= ALIKE else 0.0


def _together(change: Patch, parts: Sequence[Patch]) -> float:
    added: Counter[tuple[bytes, bytes]] = sum((part.added for part in parts), Counter())
    removed: Counter[tuple[bytes, bytes]] = sum((part.removed for part in parts), Counter())
    common = (change.added & added).total() + (change.removed & removed).total()
    total = _lines(change)
    return common / total if total else 0.0


def _common(one: Patch, other: Patch) -> int:
    if one.files.keys().isdisjoint(other.files):
        return 0
    return (one.added & other.added).total() + (one.removed & other.removed).total()


def _lines(patch: Patch) -> int:
    return patch.added.total() + patch.removed.total()


def _trace(place: Place, past: _History, match: _Match, change: Patch | None, tips: Sequence[str]) -> Trace:
    newest = past.newest(match.commits)
    commit = past.commits[past.age[newest]]
    undone = _reverted(past, match, change) or (_removed(place, past, newest, change, tips) if change else None)
    return Trace(newest, commit.at, match.rule, match.share, undone)


def _reverted(past: _History, match: _Match, change: Patch | None) -> Undone | None:
    """The newest commit that takes the work back, where none brings it again after."""
    since = past.commits[: past.age[past.newest(match.commits)]]
    brought = {past.patches[name].id for name in match.commits if name in past.patches} | {
        change.id if change else None
    }
    for commit in since:  # newest first
        patch = past.patches.get(commit.id)
        if patch is not None and patch.id is not None and patch.id in brought:
            return None
        named = _REVERTS.findall(commit.message)
        says = any(name.startswith(told) for told in named for name in match.commits)
        if (says and _takes(patch, change)) or (
            patch is not None and patch.id is not None and patch.undoing in brought
        ):
            return Undone(commit.id, commit.at, "git revert")
    return None


def _takes(patch: Patch | None, change: Patch | None) -> bool:
    """Whether the commit takes back a line of the change at all: its message alone proves nothing."""
    if patch is None or change is None:
        return False
    return bool((patch.removed & change.added).total() or (patch.added & change.removed).total())


def _removed(place: Place, past: _History, newest: str, change: Patch, tips: Sequence[str]) -> Undone | None:
    """Where no line that the work added is left at any tip: the newest commit that removed one."""
    if not change.added:
        return None
    for tip in tips:
        if any(_left(place, tip, change)):
            return None
    for commit in past.commits[: past.age[newest]]:
        patch = past.patches.get(commit.id)
        if patch is not None and (patch.removed & change.added).total():
            return Undone(commit.id, commit.at, "hunks removed")
    return None


def _left(place: Place, tip: str, change: Patch) -> Iterator[bool]:
    """For each added line whether the file still has it at that tip."""
    wanted = {path for path, _ in change.added}
    listed = (entry.partition(b"\t") for entry in reading(place).run("ls-tree", "-r", "--full-tree", tip).split(b"\n"))
    blobs = {path: head.split(b" ")[-1].decode("ascii") for head, _, path in listed if path in wanted}
    texts = diff.read_blobs(place, blobs.values(), patches.LARGEST)
    lines = {path: {line.strip() for line in texts[blob].split(b"\n")} for path, blob in blobs.items() if blob in texts}
    for path, line in change.added:
        yield line in lines.get(path, set())
