"""What besides the content of the files decides a worktree's tree: its folders, and what hides names in them.

Who knows that no file was written, no name came or went in these folders and the frame holds knows the tree, too.
"""

from __future__ import annotations

import os

from msgspec import Struct

from passdown.workspace.place import Place
from passdown.workspace.private import private_at
from passdown.workspace.settings import settings_signatures
from passdown.workspace.state import Signature, load
from passdown.workspace.tracked import signature


class Frame(Struct, frozen=True):
    """``folders``: all that hold content or could, "" the root; ``rules``: signatures of what hides or tracks names."""

    folders: frozenset[str]
    rules: list[Signature]


def frame(place: Place, tree: str) -> Frame | None:
    """Of the snapshot ``tree`` that was just taken; None where more decides.

    That is: nested repositories, ignored .gitignore files, a sparse checkout, names that git refuses, what cannot be
    read, a block of our own in a file.
    """
    state = load(private_at(place).state)
    if state is None or state.tree != tree or state.heads or state.loose or state.sparse or state.absent:
        return None
    walk = state.walk
    if state.unseen or walk.odd or walk.nested or walk.worktrees or walk.others or walk.unreadable or walk.too_many:
        return None
    rules = [state.user_indexes.get(""), *state.settings]
    return Frame(frozenset(map(os.fsdecode, walk.records)), rules)


def holds(place: Place, before: Frame) -> bool:
    """Whether the same names would be content now."""
    return [signature(place.git_dir / "index"), *settings_signatures(place)] == before.rules
