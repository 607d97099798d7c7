"""From the boundary and what is on the disk to the plan."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct, structs

from passdown.agents.claude.state import STATE as CLAUDE
from passdown.agents.codex.state import STATE as CODEX
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.sandbox import home as homes
from passdown.sandbox import landlock, sockets
from passdown.sandbox.boundary import Allowed
from passdown.sandbox.extra import opened
from passdown.sandbox.git_folder import GitFolder
from passdown.sandbox.own import closed
from passdown.sandbox.placeholders import is_ours
from passdown.sandbox.plan import MOST_MOUNTS, Mount, Placeholder, Plan, in_order
from passdown.sandbox.tree import Cut, cut
from passdown.sandbox.walk import read_tree
from passdown.workspace.place import Place

STATES = (CLAUDE, CODEX)
_FOR_GIT = 400
_FOR_FOLDERS = 400


class Wish(Struct, frozen=True):
    """What the caller asks besides the boundary.

    ``env``: the variables that name home and agents' folders; ``program``: the command's first word;
    ``write``: further folders, outside the repository.
    """

    env: Mapping[str, str]
    derived: Sequence[Derived] = ()
    ssh: bool = False
    program: str = ""
    write: Sequence[str] = ()


def compile_plan(place: Place, boundary: Boundary, wish: Wish) -> Plan:
    """The plan; PassdownError where it needs more mounts than bubblewrap takes."""
    name = os.path.basename(wish.program)
    home = os.path.realpath(wish.env.get("HOME") or os.path.expanduser("~"))
    state, planted = homes.agents_state(STATES, homes.Home(home, wish.env, look, is_ours, name))
    worktree, git, guarded = _worktree(place, boundary, wish), _git(place), _guarded(place)
    hidden = [*map(_real, homes.hidden(home, look, ssh=wish.ssh))]
    mounts = [
        *homes.machine([*_kept(place, home), *_installed(wish.program)], look),
        *worktree.mounts,
        *git.mounts,
        *(Mount(each.path, "read-only") for each in guarded),
        *opened(wish.write, place, home),
        *map(_real, state),
        *hidden,
        *_sockets(wish, [mount.path for mount in hidden], [*_kept(place, home), *_installed(wish.program)]),
    ]
    plan = Plan(
        mounts=in_order(closed(mounts, _own_programs())),
        placeholders=(*guarded, *planted),
        loose=tuple(worktree.loose + git.loose),
        links=tuple(worktree.links),
    )
    if len(plan.mounts) > MOST_MOUNTS + _FOR_FOLDERS:
        hint = "name whole folders in the boundary, not kinds of files in every folder: passdown boundary set"
        raise PassdownError(f"this boundary needs {len(plan.mounts)} mounts, too many", hint, EXIT_UNDECIDED)
    return plan


def look(path: str) -> Literal["file", "folder"] | None:
    """What stands at a path, links followed."""
    if os.path.isdir(path):
        return "folder"
    return "file" if os.path.exists(path) else None


def _worktree(place: Place, boundary: Boundary, wish: Wish) -> Cut:
    root = str(place.root)
    may = Allowed(boundary, wish.derived, lambda path: os.path.lexists(os.path.join(root, path)))
    tree = read_tree(root, lambda folder: folder != ".git" and may.reaches(folder))
    tree[""] = [entry for entry in tree[""] if entry.name != ".git" or entry.kind == "file"]
    return cut(root, tree, may, MOST_MOUNTS - _FOR_GIT)


def _git(place: Place) -> Cut:
    rules = GitFolder(_own(place))
    common = str(place.common_dir)
    return cut(common, read_tree(common, rules.reaches), rules, _FOR_GIT)


def _guarded(place: Place) -> list[Placeholder]:
    """What git would read settings from, where it is not there yet."""
    common = str(place.common_dir)
    needed = GitFolder(_own(place)).needed(worktree_elsewhere="core.worktree" in place.settings)
    placed = (structs.replace(each, path=f"{common}/{each.path}") for each in needed)
    return [each for each in placed if not os.path.lexists(each.path) or is_ours(each)]


def _own(place: Place) -> str:
    return "" if place.git_dir == place.common_dir else os.path.relpath(place.git_dir, place.common_dir)


def _kept(place: Place, home: str) -> list[str]:
    """What must be seen even where it lies below a temporary folder."""
    return [str(place.root), str(place.common_dir), home, *_own_programs(), os.path.realpath("/etc/resolv.conf")]


def _own_programs() -> list[str]:
    """Where Passdown, its interpreter and its dependencies lie: the parent runs them for what is asked from inside."""
    packages = [os.path.dirname(os.path.dirname(file)) for file in (landlock.__file__, structs.__file__)]
    return sorted({os.path.realpath(path) for path in (sys.prefix, sys.base_prefix, *packages)})


def _installed(program: str) -> list[str]:
    """The folder below a temporary one that the program was installed in: it must be seen to run."""
    found = shutil.which(program)
    places = [found, os.path.realpath(found)] if found else []
    below = [(top, path) for path in places for top in homes.TEMPORARY if path.startswith(f"{top}/")]
    folders = [f"{top}/{path[len(top) + 1 :].split('/')[0]}" for top, path in below]
    return [folder for folder in dict.fromkeys(folders) if os.path.isdir(folder)]


def _sockets(wish: Wish, hidden: Sequence[str], kept: Sequence[str]) -> list[Mount]:
    """The SSH agent's socket, and whatever else listens: a connection needs no more than to see it."""
    gone = [*hidden, *homes.TEMPORARY, homes.SOCKETS, "/proc", "/dev"]
    listening = sockets.seen(sockets.listed(), gone, kept, sockets.is_socket)
    found = {path: Mount(path, "hidden file") for path in listening}
    agent = wish.env.get("SSH_AUTH_SOCK")
    if agent and os.path.exists(agent):
        path = os.path.realpath(agent)
        found[path] = Mount(path, "read-only" if wish.ssh else "hidden file")
    return list(found.values())


_absolute = partial(os.path.realpath, strict=False)


def _real(mount: Mount) -> Mount:
    """A mount stands where a link leads to."""
    return structs.replace(mount, path=_absolute(mount.path))
