"""The boundary as a question about folders: which hold, or may come to hold, an allowed file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from passdown.model.boundary import Boundary
from passdown.model.policy import Derived
from passdown.rules.decide import Asked
from passdown.rules.match import Matcher, normalise, single
from passdown.rules.patterns import lazy

_GLOB = lazy(r"[*?\[\\]")
_SET = lazy(r"\[[!^]?\]?(.)[^\]]*\]")
_ANY = lazy(r"[*?]+")


class Allowed:
    """What the boundary lets change in the worktree. ``exists``: whether a relative path is there."""

    def __init__(self, boundary: Boundary, derived: Sequence[Derived], exists: Callable[[str], bool]) -> None:
        self._asked = Asked.of(boundary)
        self._derived = Matcher.compile([rule.path for rule in derived])
        patterns = [normalise(pattern) for pattern in self._asked.allow.patterns]
        self._fixed = [_fixed(pattern) for pattern in [*patterns, *(rule.path for rule in derived)]]
        self._samples = sorted({_sample(pattern) for pattern in patterns})
        self._waiting = {_nearest(path, exists) for path in map(self._awaited, patterns) if path and not exists(path)}

    def file(self, path: str) -> bool:
        """Whether the file lies inside, or is generated from what does."""
        decision = self._asked.decide(path)
        return decision.inside or (decision.rule == "outside" and self._derived.matches(path) is not None)

    def holds(self, folder: str, files: Sequence[str]) -> bool:
        """Whether it is allowed as a whole, holds an allowed file, or a new file in it would be allowed."""
        if folder in self._waiting:
            return True
        if folder and self._asked.decide(folder + "/").inside:
            return True
        below = f"{folder}/" if folder else ""
        return any(self.file(below + name) for name in files) or any(
            self._asked.decide(below + name).inside for name in self._samples
        )

    def reaches(self, folder: str) -> bool:
        """Whether something in or below the folder may be allowed: others need no look."""
        name = normalise(folder) + "/"
        return any(name.startswith(fixed) or fixed.startswith(name) for fixed in self._fixed)

    def _awaited(self, pattern: str) -> str:
        """The place that the pattern names before its first wildcard, where something of it would be inside."""
        path = single(pattern) if "/" in pattern else None
        path = path if path is not None else _fixed(pattern)
        if not path or not self._asked.decide(path.rstrip("/") + ("/x" if path.endswith("/") else "")).inside:
            return ""
        return path.rstrip("/")


def _fixed(pattern: str) -> str:
    """The folders before the first part with a wildcard, each with its ``/``; "" where the pattern floats."""
    bare = pattern.removesuffix("/")
    if "/" not in bare and not pattern.startswith("/"):
        return ""
    parts = pattern.lstrip("/").split("/")
    fixed = []
    for part in parts[:-1]:
        if _GLOB.search(part):
            break
        fixed.append(part)
    return "".join(f"{part}/" for part in fixed)


def _sample(pattern: str) -> str:
    """A name that the pattern's last part would match."""
    name = pattern.rstrip("/").rpartition("/")[2]
    return _ANY.sub("x", _SET.sub(r"\1", name)).replace("\\", "") or "x"


def _nearest(path: str, exists: Callable[[str], bool]) -> str:
    """The deepest folder above the path that is there."""
    folder = path.rpartition("/")[0]
    while folder and not exists(folder):
        folder = folder.rpartition("/")[0]
    return folder
