"""Changed files that do not parse: the mark of an edit that was cut off."""

from __future__ import annotations

import ast
import json
import posixpath
import tomllib
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from passdown.packet.sources import Broken

if TYPE_CHECKING:
    from passdown.checks.tree import TreeView
    from passdown.model.packet import Item

LIMIT = 512 * 1024
_WITH_COMMENTS = ("tsconfig", "jsconfig", ".vscode/", ".jsonc", ".eslintrc")


def broken(path: str, now: bytes, before: Callable[[], bytes | None]) -> Broken | None:
    """The fault of the file as it is now; None where it parses, cannot be told, or never parsed (``before``)."""
    parser = _PARSERS.get(posixpath.splitext(path)[1])
    if parser is None or any(mark in path for mark in _WITH_COMMENTS) or len(now) >= LIMIT:
        return None
    fault = parser(now)
    old = before() if fault is not None else None
    if fault is None or (old is not None and parser(old) is not None):
        return None
    return Broken(path, *fault)


def told(path: str) -> bool:
    """Whether this kind of file can be judged at all."""
    return posixpath.splitext(path)[1] in _PARSERS


def repaired(item: Item, view: TreeView) -> bool:
    """Whether an item says that files do not parse, and each of them does by now."""
    if item.kind != "failure" or item.check is not None or not item.paths:
        return False
    return all(told(path) and (now := view.read(path)) is not None and _parses(path, now) for path in item.paths)


def _parses(path: str, now: bytes) -> bool:
    return len(now) < LIMIT and _PARSERS[posixpath.splitext(path)[1]](now) is None


def _python(data: bytes) -> tuple[int | None, str] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except SyntaxError as error:
        return error.lineno, f"{type(error).__name__}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return None  # not told: a NUL, or deeper than the parser goes
    return None


def _json(data: bytes) -> tuple[int | None, str] | None:
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        return error.lineno, error.msg
    except (ValueError, RecursionError):
        return None
    return None


def _toml(data: bytes) -> tuple[int | None, str] | None:
    try:
        tomllib.loads(data.decode("utf-8"))
    except tomllib.TOMLDecodeError as error:
        return None, str(error)
    except (UnicodeDecodeError, RecursionError):
        return None
    return None


_PARSERS: dict[str, Callable[[bytes], tuple[int | None, str] | None]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": _json,
    ".toml": _toml,
}
