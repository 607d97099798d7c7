"""What tools leave behind when they run: caches and compiled files that nobody writes by hand."""

from __future__ import annotations

from passdown.rules.patterns import lazy

_LEFTOVER = lazy(
    r"(?:^|/)(?P<folder>__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.gradle)/"
    r"|(?:^|/)(?P<name>[^/]+\.py[co]|\.DS_Store|Thumbs\.db|\.coverage)$"
)


def leftover(path: str) -> str | None:
    """The folder's name (``__pycache__``) or the file's, where the path is generated; None where somebody wrote it."""
    found = _LEFTOVER.search(path)
    return (found["folder"] or found["name"]) if found is not None else None
