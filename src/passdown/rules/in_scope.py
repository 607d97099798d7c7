"""Whether a decision speaks of some paths (case B17): its scope and they meet."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.errors import PassdownError
from passdown.model.packet import Decision
from passdown.rules.match import Matcher, fault, single

_GLOB = frozenset("*?[")


def speaks_of(decision: Decision, patterns: Sequence[str]) -> bool:
    """Without a scope it speaks of everything; so do no patterns at all, for then nothing says where the work is.

    A scope that is no pattern hides nothing either.
    """
    if not decision.scope or not patterns:
        return True
    try:
        return meet(decision.scope, patterns)
    except PassdownError:
        return True


def meet(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether some path may match both; of two globs, where the folders that they begin with lie in one another."""
    if any(_names(ours, theirs)) or any(_names(theirs, ours)):
        return True
    globs = [(_folder(a), _folder(b)) for a in ours if single(a) is None for b in theirs if single(b) is None]
    return any(a.startswith(b) or b.startswith(a) for a, b in globs)


def _names(wide: Sequence[str], narrow: Sequence[str]) -> list[bool]:
    """For each of ``narrow`` that names one path, or a folder, whether ``wide`` matches it."""
    matcher = Matcher.compile([pattern for pattern in wide if fault(pattern) is None])
    paths = [path for pattern in narrow if (path := single(pattern) or _folder(pattern).rstrip("/"))]
    return [matcher.matches(path) is not None for path in paths]


def _folder(pattern: str) -> str:
    """The folder that a pattern begins with; "" where it may begin anywhere."""
    parts = pattern.lstrip("/").split("/")
    plain = []
    for part in parts[:-1] if not pattern.endswith("/") else parts:
        if _GLOB & set(part):
            break
        plain.append(part)
    anywhere = "/" not in pattern.rstrip("/") and not pattern.startswith("/")
    return "" if anywhere or not plain else "/".join(plain).rstrip("/") + "/"
