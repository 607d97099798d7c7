"""A file's tests, and a test's file, by their names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from passdown.rules.patterns import lazy

_TEST_NAME = lazy(
    r"(?:test[_-](?P<a>.+)|(?P<b>.+?)[_.-](?:test|tests|spec)|(?P<c>.+?)(?:Test|Tests|Spec|IT))$",
)
_TEST_WORDS = ("est", "pec", "IT")  # one of them stands in whatever the pattern matches
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing", "e2e"})
LIMIT = 3


def is_test(path: str) -> bool:
    """Whether the name or a folder says that this is a test."""
    folders = path.split("/")[:-1]
    return subject(path) is not None or bool(_TEST_FOLDERS & set(folders))


def subject(path: str) -> str | None:
    """The stem that a test's name speaks of: ``retry`` of ``tests/test_retry.py``; None where it is no test's name."""
    return _subject(_stem(path))


def _subject(stem: str) -> str | None:
    if not any(word in stem for word in _TEST_WORDS):
        return None
    found = _TEST_NAME.match(stem)
    return next(group for group in found.groups() if group) if found else None


class Names(Struct, frozen=True):
    """The paths of one tree by what their names say: ``stems`` of files, ``subjects`` of tests."""

    stems: Mapping[str, Sequence[str]]
    subjects: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, paths: Iterable[str]) -> Names:
        """Read each name once."""
        stems: dict[str, list[str]] = {}
        subjects: dict[str, list[str]] = {}
        for path in paths:
            stem = _stem(path)
            about = _subject(stem)
            if about is None:
                stems.setdefault(stem, []).append(path)
            else:
                subjects.setdefault(about, []).append(path)
        return cls(stems, subjects)

    def beside(self, path: str) -> list[str]:
        """The nearest files that test this one, or that this test is about; at most three."""
        about = subject(path)
        found = self.subjects.get(_stem(path), ()) if about is None else self.stems.get(about, ())
        family = _family(posixpath.splitext(path)[1])
        return _nearest(path, (p for p in found if _family(posixpath.splitext(p)[1]) == family and p != path))


def _nearest(path: str, found: Iterable[str]) -> list[str]:
    """Those that share the most of the path's folders; names like ``index`` or ``__init__`` exist many times."""
    shared = {p: len(set(p.split("/")[:-1]) & set(path.split("/")[:-1])) for p in found}
    best = max(shared.values(), default=0)
    nearest = sorted(p for p, n in shared.items() if n == best)
    return nearest if len(nearest) <= LIMIT else []


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _family(suffix: str) -> str:
    return "js" if suffix in {".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte"} else suffix
