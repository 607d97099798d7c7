"""The user's branches, read as names: which commit each of them is, in one process for all that is usually asked."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import Struct

from passdown.workspace.place import Place, user_git

BY_HABIT = ("main", "master", "trunk")
"""What a default branch is called where nothing names it."""
_FORMAT = "--format=%(refname) %(objectname) %(symref) %(upstream)"
_NO_NAME = frozenset(" ~^:?*[\\")


class Ref(Struct, frozen=True):
    """``id``: what it points at; ``target``: the full name that a symbolic one stands for; ``upstream``'s full name."""

    id: str
    target: str
    upstream: str


def ref(place: Place, name: str) -> Ref | None:
    """The reference of that full name; None where there is none."""
    if name not in _usual(place) and not plain(name):
        return None
    known = place.seen.once("refs", lambda: _read(place, _usual(place)))
    if name in _usual(place):
        return known.get(name)
    return place.seen.once(("ref", name), lambda: _read(place, [name])).get(name)


def plain(name: str) -> bool:
    """Whether the text is a full name and nothing that git would work out."""
    return name.startswith("refs/") and not _NO_NAME & set(name)


def remote_name(place: Place) -> str | None:
    """The branch's remote, else origin, else the only one."""
    chosen = place.settings.get(f"branch.{place.branch}.remote")
    remotes = {key[7:-4] for key in place.settings if key.startswith("remote.") and key.endswith(".url")}
    if chosen in remotes:
        return chosen
    if "origin" in remotes:
        return "origin"
    return next(iter(remotes)) if len(remotes) == 1 else None


def _usual(place: Place) -> list[str]:
    """What nearly every command asks for: the branch, its upstream by habit, the default branches here and there."""
    names = [f"refs/heads/{name}" for name in (*BY_HABIT, place.branch) if name]
    remote = remote_name(place)
    if remote is not None:
        merged = place.settings.get(f"branch.{place.branch}.merge", "").removeprefix("refs/heads/")
        names += [f"refs/remotes/{remote}/{name}" for name in ("HEAD", *BY_HABIT, merged) if name]
    return [name for name in dict.fromkeys(names) if plain(name)]


def _read(place: Place, names: Sequence[str]) -> dict[str, Ref]:
    """Full name -> reference. Each argument also stands for all names below it: those are left out."""
    told = os.fsdecode(user_git(place).run("for-each-ref", _FORMAT, *names))
    found = {}
    for line in told.splitlines():
        name, commit, target, upstream = line.split(" ")
        if name in names:
            found[name] = Ref(commit, target, upstream)
    return found
