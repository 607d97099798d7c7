"""Keeping a tree: its whole closure copied into store.git and held there by a ref to the tree."""

from __future__ import annotations

import os
from pathlib import Path

from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.git import GitError
from passdown.workspace.place import Place
from passdown.workspace.private import Private, alternates, locked, private_at, wipe
from passdown.workspace.store_git import ensure_store, plain_refs, store_git
from passdown.workspace.take import take

_REFS = "refs/passdown/tree/"


def kept(place: Place, tree: str) -> bool:
    """Whether the tree is held in store.git."""
    return _holds(private_at(place).store, tree)


def _holds(store: Path, tree: str) -> bool:
    """A ref has a file of its own, or stands among the packed ones, where there are any."""
    if (store / _REFS / tree).is_file():
        return True
    packed = (store / "packed-refs").exists()
    return packed and store_git(store).ok("rev-parse", "--verify", "--quiet", _REFS + tree)


def held(store: Path) -> dict[str, str]:
    """Every tree that is held, and what its ref leads to: the tree itself, unless somebody changed it."""
    found = plain_refs(store, _REFS.rstrip("/"))
    if found is None:
        told = store_git(store).run("for-each-ref", "--format=%(refname) %(objectname)", _REFS).decode()
        found = dict(line.split(" ") for line in told.splitlines())
    return {ref.removeprefix(_REFS): name for ref, name in found.items()}


def keep(place: Place, tree: str) -> None:
    """Copy the tree's whole closure into store.git and hold it there by a ref; idempotent.

    Where objects are gone (the user's `reset --hard` and `gc`), the snapshot is taken again from the worktree.
    PassdownError where the worktree no longer holds that tree either.
    """
    if kept(place, tree):
        return
    private = private_at(place)
    store = ensure_store(place.home, place.object_format)
    try:
        _copy(private, store, tree)
    except GitError as error:
        with locked(private):
            wipe(private)
        again = take(place)
        if tree not in {again.tree, again.commit_tree}:
            raise PassdownError(
                f"the content of {tree[:12]} is gone: git pruned it and the worktree has changed since",
                "take a new snapshot",
                EXIT_UNDECIDED,
            ) from error
        _copy(private, store, tree, promised=any((private.user_objects / "pack").glob("*.promisor")))


def _copy(private: Private, store: Path, tree: str, *, promised: bool = False) -> None:
    """Pack what the store lacks, prove that all is there, set the ref.

    ``promised``: a partial clone, whose remote holds what neither worktree nor clone have.
    """
    missing = ["--missing=allow-any"] if promised else []
    inside = store_git(store)
    near = _near(private, store)
    wanted = tree + "\n" + "".join(f"^{other}\n" for other in near)
    sources = [private.git_dir / "objects", private.user_objects]
    packing = inside.having(GIT_ALTERNATE_OBJECT_DIRECTORIES=alternates(sources))
    if private.shallow.exists():
        packing = packing.having(GIT_SHALLOW_FILE=str(private.shallow))
    packing.run(
        "pack-objects",
        "--revs",
        "--quiet",
        "--non-empty",
        "--window=0",
        *missing,
        str(store / "objects/pack/pack"),
        data=wanted.encode(),
    )
    inside.run("rev-list", "--objects", "--quiet", *missing, tree, *(f"^{other}" for other in near))
    hold(store, tree)
    private.folder.mkdir(parents=True, exist_ok=True)
    (private.folder / "kept").write_text(tree + "\n")


def hold(store: Path, tree: str) -> None:
    """Set the ref to the tree, as git writes it: a file of its own, there at once or not at all."""
    ref = store / _REFS / tree
    ref.parent.mkdir(parents=True, exist_ok=True)
    new = store / f"tree.{os.getpid()}"
    new.write_text(f"{tree}\n")
    os.replace(new, ref)


def _near(private: Private, store: Path) -> list[str]:
    """The tree that this worktree kept last, if the store still holds it: what both have is not copied again."""
    try:
        tree = (private.folder / "kept").read_text().strip()
    except OSError:
        return []
    return [tree] if tree and _holds(store, tree) else []
