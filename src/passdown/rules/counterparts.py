"""A file's tests, and a test's file, by their names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable

_TEST_NAME = re.compile(
    r"(?:test[_-](?P<a>.+)|(?P<b>.+?)[_.-](?:test|tests|spec)|(?P<c>.+?)(?:Test|Tests|Spec|IT))$",
)
_TEST_FOLDERS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing", "e2e"})
LIMIT = 3


def is_test(path: str) -> bool:
    """Whether the name or a folder says that this is a test."""
    folders = path.split("/")[:-1]
    return subject(path) is not None or bool(_TEST_FOLDERS & set(folders))


def subject(path: str) -> str | None:
    """The stem that a test's name speaks of: ``retry`` of ``tests/test_retry.py``; None where it is no test's name."""
    found = _TEST_NAME.match(_stem(path))
    return next(group for group in found.groups() if group) if found else None


def by_name(path: str, paths: Collection[str]) -> list[str]:
    """The nearest files that test this one, or that this test is about; at most three."""
    own = subject(path)
    suffix = posixpath.splitext(path)[1]
    if own is not None:
        found = (p for p in paths if _stem(p) == own and subject(p) is None)
    else:
        stem = _stem(path)
        found = (p for p in paths if subject(p) == stem)
    return _nearest(path, (p for p in found if _family(posixpath.splitext(p)[1]) == _family(suffix) and p != path))


def _nearest(path: str, found: Iterable[str]) -> list[str]:
    """Those that share the most of the path's folders; names like ``index`` or ``__init__`` exist many times."""
    shared = {p: len(set(p.split("/")[:-1]) & set(path.split("/")[:-1])) for p in found}
    best = max(shared.values(), default=0)
    nearest = sorted(p for p, n in shared.items() if n == best)
    return nearest if len(nearest) <= LIMIT else []


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _family(suffix: str) -> str:
    return "js" if suffix in {".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte"} else suffix
