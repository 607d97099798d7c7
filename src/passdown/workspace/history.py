"""Commits: base, upstream, reflog, ancestry, remotes. Reads only."""

from __future__ import annotations

from passdown.workspace.place import Place


def base(place: Place, configured: str | None) -> tuple[str | None, str]:
    """``(commit, because)``: the merge base with the base branch; (None, why) where the run's start stands in."""
    raise NotImplementedError


def resolve(place: Place, rev: str) -> str | None:
    """The commit that a branch, tag, id or ``HEAD`` names."""
    raise NotImplementedError


def head_at(place: Place, when: str) -> str | None:
    """HEAD's commit at an ISO 8601 instant, by its reflog; None where the reflog does not reach back."""
    raise NotImplementedError


def ahead_behind(place: Place, commit: str, other: str) -> tuple[int, int]:
    """Commits only in ``commit``, commits only in ``other``."""
    raise NotImplementedError


def commits_between(place: Place, old: str, new: str, *, first_parent: bool = False) -> list[tuple[str, str]]:
    """``(id, subject)`` of what ``new`` has over ``old``, newest first; subjects are foreign text."""
    raise NotImplementedError


def commit_tree_of(place: Place, commit: str) -> str | None:
    """The commit's tree; None where the commit is not here."""
    raise NotImplementedError


def parents(place: Place, commit: str) -> list[str]:
    """The commit's parents, the first one first."""
    raise NotImplementedError


def merge_base(place: Place, one: str, other: str) -> str | None:
    """The best common ancestor."""
    raise NotImplementedError


def is_ancestor(place: Place, old: str, new: str) -> bool:
    """Is ``old`` reachable from ``new``? False where either is not here."""
    raise NotImplementedError


def on_remote(place: Place, commit: str) -> bool | None:
    """Does a remote-tracking ref contain the commit? None with no remote."""
    raise NotImplementedError


def remote_name(place: Place) -> str | None:
    """The branch's remote, else origin, else the only one."""
    raise NotImplementedError
