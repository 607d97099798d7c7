"""Whether one boundary lies within another: after a verdict, a hand may only narrow."""

from __future__ import annotations

from passdown.model.boundary import Boundary, Budget
from passdown.rules.decide import Asked, patterns

_GLOB = frozenset("*?[\\")


def widening(new: Boundary, old: Boundary) -> str | None:
    """Say what ``new`` opens that ``old`` does not, or None.

    A pattern counts as inside if it stands there or names one path inside; what cannot be told counts as widening.
    """
    asked = Asked.of(old)
    known = set(patterns(old.allow))
    for entry, pattern in zip(new.allow, patterns(new.allow), strict=True):
        if pattern not in known and not _one_path_inside(pattern, asked):
            return f"{entry.path} is not within the boundary so far"
    dropped = set(patterns(old.deny)) - set(patterns(new.deny))
    for pattern in sorted(dropped):
        if any(not _apart(pattern, p) for p in patterns(new.allow)):
            return f"{pattern} is no longer denied"
    if set(new.opened) - set(old.opened):
        return f"{min(set(new.opened) - set(old.opened))} is opened"
    return _larger(new.budget, old.budget)


def _one_path_inside(pattern: str, asked: Asked) -> bool:
    if _GLOB & set(pattern) or "/" not in pattern.rstrip("/"):
        return False
    path = pattern.lstrip("/")
    return asked.decide(path).inside


def _apart(denied: str, allowed: str) -> bool:
    """Whether an allowed plain path certainly is not what the denied pattern means."""
    if _GLOB & set(allowed) or "/" not in allowed:
        return False
    return not (_GLOB & set(denied)) and "/" in denied and denied.strip("/") != allowed.strip("/")


def _larger(new: Budget, old: Budget) -> str | None:
    for name in ("files", "lines"):
        limit, asked = getattr(old, name), getattr(new, name)
        if limit is not None and (asked is None or asked > limit):
            return f"the budget of {name} grows from {limit}"
    return f"the budget of new files grows from {old.new or 0}" if (new.new or 0) > (old.new or 0) else None
