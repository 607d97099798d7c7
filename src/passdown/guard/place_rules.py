"""The worktree around a folder and the rules that the hook would find for it."""

from __future__ import annotations

from pathlib import Path

from passdown.guard import hook_files
from passdown.guard.hook.place import in_force, worktree
from passdown.guard.hook.rules import Rules
from passdown.workspace.place import Place, find_place


def place_and_rules(start: Path) -> tuple[Place, Rules, str] | None:
    """``(place, rules, the worktree's name among the guard's files)``; None where nothing binds now.

    ``start``: the worktree's root as the hook found it, or the folder that git runs its own hook in.
    """
    place = find_place(start)
    common = str(place.common_dir)
    found = worktree(str(start), common)
    rules = in_force(str(hook_files.folder(place.home)), *found, common) if found is not None else None
    if rules is None:
        return None
    if rules.root != str(place.root):  # git takes a ``.git`` that somebody planted below the root
        place = find_place(Path(rules.root))
    return place, rules, hook_files.rules_file(place.home, place.git_dir, place.common_dir).stem
