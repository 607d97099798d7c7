"""Commits: base, upstream, reflog, ancestry, remotes. Reads only.

References and reflogs come from the user's git dir, where nothing but names is read; objects through ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from passdown.rules.patterns import lazy
from passdown.workspace.git import GitError, zsplit
from passdown.workspace.place import Place, user_git
from passdown.workspace.private import reading
from passdown.workspace.refs import plain, ref, remote_name

_HEX = lazy(r"[0-9a-f]{4,64}")


def resolve(place: Place, rev: str) -> str | None:
    """The commit that a branch, tag, id or ``HEAD`` names."""
    if rev.startswith("-") or not rev:
        return None
    if plain(rev):
        known = ref(place, rev)
        return _commit(place, known.id) if known is not None else None
    named = user_git(place).line("rev-parse", "--verify", "--quiet", "--end-of-options", rev)
    if named is None and not _HEX.fullmatch(rev):
        return None
    return _commit(place, named or rev)


def _commit(place: Place, name: str) -> str | None:
    """The commit of that id, or of the tag or the beginning of an id; None where it is not here."""
    if name == place.head:
        return name

    def ask() -> str | None:
        return reading(place).line("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    return place.seen.once(("commit", name), ask)


def base(place: Place, configured: str | None) -> tuple[str | None, str]:
    """``(commit, because)``: the merge base with the base branch; (None, why) where the run's start stands in."""
    if place.head is None:
        return None, "no commit yet"
    tip, name = _base_branch(place, configured)
    if tip is None:
        return None, name
    found = merge_base(place, tip, place.head)
    if found is None:
        return None, f"no commit in common with {name}"
    if found == place.head:
        return None, f"HEAD has nothing over {name}"
    return found, f"merge base with {name}"


def base_tip(place: Place, configured: str | None) -> tuple[str | None, str]:
    """``(commit, name)`` of the base branch as it is known here now; (None, why) where there is none."""
    return _base_branch(place, configured)


def _base_branch(place: Place, configured: str | None) -> tuple[str | None, str]:
    """``(tip, name)``, or (None, why)."""
    if configured:
        remote = remote_name(place)
        names = [f"refs/heads/{configured}", f"refs/remotes/{configured}"]
        names += [f"refs/remotes/{remote}/{configured}"] if remote else []
        if place.branch == configured:
            names = names[1:]
        for name in names:
            tip = resolve(place, name)
            if tip is not None:
                return tip, _short(name)
        if place.branch == configured:
            return None, f"on the base branch {configured}"
    for candidate in (_upstream(place), _remote_head(place)):
        tip = resolve(place, candidate) if candidate else None
        if candidate and tip is not None:
            return tip, _short(candidate)
    return None, "no base branch, no upstream, no remote HEAD"


def _short(name: str) -> str:
    return re.sub(r"^refs/(heads|remotes)/", "", name)


def _upstream(place: Place) -> str | None:
    """The full name of the branch's upstream reference."""
    if place.branch is None:
        return None
    known = ref(place, f"refs/heads/{place.branch}")
    return known.upstream or None if known is not None else None


def _remote_head(place: Place) -> str | None:
    """The full name of the remote's default branch, as it is known here."""
    remote = remote_name(place)
    known = ref(place, f"refs/remotes/{remote}/HEAD") if remote is not None else None
    return known.target or None if known is not None else None


def head_at(place: Place, when: str) -> str | None:
    """HEAD's commit at an ISO 8601 instant, by its reflog; None where the reflog does not reach back."""
    instant = datetime.fromisoformat(when).timestamp()
    if place.head is None:
        return None
    heads = place.seen.once("heads", lambda: _heads(place))
    return next((commit for commit, since in heads if since <= instant), None)


def _heads(place: Place) -> list[tuple[str, int]]:
    """What HEAD was, the newest first, and since when (seconds)."""
    plain = ("--no-show-signature", "--no-notes", "--no-decorate", "--no-patch", "--no-color")
    walked = user_git(place).run("log", "-g", *plain, "--date=unix", "--format=%H %gd", "HEAD", "--")
    found = re.finditer(r"^([0-9a-f]+) HEAD@\{(\d+)\}$", walked.decode("ascii", "replace"), re.MULTILINE)
    return [(each[1], int(each[2])) for each in found]


def ahead_behind(place: Place, commit: str, other: str) -> tuple[int, int]:
    """Commits only in ``commit``, commits only in ``other``."""
    told = reading(place).run("rev-list", "--left-right", "--count", f"{commit}...{other}").split()
    return int(told[0]), int(told[1])


def commits_between(place: Place, old: str, new: str, *, first_parent: bool = False) -> list[tuple[str, str]]:
    """``(id, subject)`` of what ``new`` has over ``old`` ("": all), newest first; subjects are foreign text."""
    flags = ["--first-parent"] if first_parent else []
    without = [f"^{old}"] if old else []
    told = reading(place).run("log", "-z", "--no-show-signature", "--format=%H %s", *flags, new, *without, "--")
    found = []
    for record in zsplit(told + b"\0" if told and not told.endswith(b"\0") else told):
        commit, _, subject = record.decode("utf-8", "replace").partition(" ")
        found.append((commit, subject))
    return found


def last_touching(place: Place, old: str, new: str, paths: Sequence[str]) -> str:
    """The newest commit of ``new`` over ``old`` that changed one of the paths; "" where none did."""
    return reading(place).line("rev-list", "--max-count=1", new, f"^{old}", "--", *paths) or ""


class Commit(Struct, frozen=True):
    """One commit: its tree, its parents (the first one first) and its subject, which is foreign text."""

    id: str
    tree: str
    parents: tuple[str, ...]
    subject: str


def commits(place: Place, heads: Sequence[str], without: Sequence[str] = ()) -> list[Commit]:
    """What the heads have over ``without``, newest first, in one process."""
    wanted = "".join(f"{name}\n" for name in [*heads, *(f"^{name}" for name in without)])
    told = reading(place).run(
        "log", "-z", "--no-show-signature", "--format=%H %T %P%x01%s", "--stdin", "--", data=wanted.encode()
    )
    found = []
    for record in told.split(b"\0"):
        if record:
            ids, _, subject = record.decode("utf-8", "replace").partition("\x01")
            commit, tree, *parents_ = ids.split()
            found.append(Commit(commit, tree, tuple(parents_), subject))
    return found


def descendants(place: Place, old: str, tips: Sequence[str]) -> set[str]:
    """The commits below the tips that stand on ``old``."""
    asked = "".join(f"{name}\n" for name in [*tips, f"^{old}"]).encode()
    told = reading(place).run("rev-list", "--ancestry-path", "--stdin", data=asked)
    return set(told.decode("ascii").split())


def merge_bases(place: Place, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
    """:func:`merge_base` of each pair, in three processes however many there are."""
    if not pairs:
        return []
    tips = sorted({name for pair in pairs for name in pair})
    below = reading(place).line("merge-base", "--octopus", *tips) if len(tips) > 1 else tips[0]
    if below is None:  # histories without a common root: each pair for itself
        return [merge_base(place, *pair) for pair in pairs]
    parents_ = _graph(place, tips, below)
    order = {name: at for at, name in enumerate(parents_)}
    return [min(_reached(parents_, a) & _reached(parents_, b), key=order.__getitem__, default=None) for a, b in pairs]


def _graph(place: Place, tips: Sequence[str], below: str) -> dict[str, list[str]]:
    """Commit -> parents, children first, from the tips down to what all of them share."""
    asked = "".join(f"{name}\n" for name in [*tips, *(f"^{name}" for name in parents(place, below))])
    told = reading(place).run("rev-list", "--topo-order", "--parents", "--stdin", data=asked.encode()).decode("ascii")
    return {line.split()[0]: line.split()[1:] for line in told.splitlines()}


def _reached(parents_: Mapping[str, Sequence[str]], start: str) -> set[str]:
    found, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name in parents_ and name not in found:
            found.add(name)
            waiting += parents_[name]
    return found


def trees_of(place: Place, names: Iterable[str]) -> dict[str, str]:
    """Commit id -> its tree, in one process; one that is not here is left out."""
    wanted = list(dict.fromkeys(names))
    asked = "".join(f"{name}^{{tree}}\n" for name in wanted).encode()
    told = reading(place).run("cat-file", "--batch-check=%(objectname)", data=asked).decode("utf-8", "replace")
    return {name: tree for name, tree in zip(wanted, told.splitlines(), strict=True) if " " not in tree}


def commit_tree_of(place: Place, commit: str) -> str | None:
    """The commit's tree; None where the commit is not here."""

    def ask() -> str | None:
        return reading(place).line("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}")

    return place.seen.once(("tree", commit), ask)


def parents(place: Place, commit: str) -> list[str]:
    """The commit's parents, the first one first."""
    told = reading(place).run("rev-list", "--parents", "--max-count=1", commit).decode("ascii").split()
    return told[1:]


def merge_base(place: Place, one: str, other: str) -> str | None:
    """The best common ancestor; None where there is none or one of them is not here."""
    if one == other == place.head:
        return one

    def ask() -> str | None:
        told = reading(place).line("merge-base", one, other)
        return told.split()[0] if told else None

    return place.seen.once(("merge base", one, other), ask)


def last_change(place: Place, path: str) -> tuple[str, str] | None:
    """The short id and the date (ISO 8601) of the last commit of HEAD that changed the file; None where none did."""
    if place.head is None:
        return None
    told = reading(place).line("log", "-1", "--no-show-signature", "--format=%h %cI", place.head, "--", path)
    short, _, when = (told or "").partition(" ")
    return (short, when) if when else None


def is_ancestor(place: Place, old: str, new: str) -> bool:
    """Is ``old`` reachable from ``new``? False where either is not here."""
    return merge_base(place, old, new) == old


def on_remote(place: Place, commit: str) -> bool | None:
    """Does a remote-tracking ref contain the commit? None with no remote."""
    if remote_name(place) is None:
        return None
    told = user_git(place).run("for-each-ref", "--format=%(objectname)", "refs/remotes")
    tips = sorted(set(told.decode("ascii").split()))
    if not tips:
        return False
    try:
        data = "".join(f"{line}\n" for line in [commit, *(f"^{tip}" for tip in tips)]).encode()
        return not reading(place).run("rev-list", "--max-count=1", "--stdin", data=data).strip()
    except GitError:
        return False


def has_text(place: Place, commit: str, text: str) -> bool:
    """Whether a file of the commit holds the text; a commit that is not here holds none."""
    return bool(text) and reading(place).ok("grep", "--quiet", "--fixed-strings", "-e", text, commit)
