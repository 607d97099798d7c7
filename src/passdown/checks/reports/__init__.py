"""Reads a check's declared report; one reader a format. A report is foreign text: sized, typed, never trusted."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

from passdown.checks.reports.summary import Summary
from passdown.rules.patterns import lazy

MAX_BYTES = 64 << 20
FORMATS = (
    "junit", "ctrf", "jest", "vitest", "mocha", "rspec", "sarif", "go", "cargo", "nextest", "tap", "node", "pytest",
    "dotnet",
)  # fmt: skip
"""What a policy may name; without a name the content says it."""
_MODULES = {
    "vitest": ("jest",),
    "go": ("go_test",),
    "cargo": ("libtest", "junit", "console"),
    "nextest": ("libtest", "junit", "console"),
    "node": ("tap", "junit", "console"),
    "pytest": ("console", "junit", "pytest_json"),
    "dotnet": ("dotnet", "junit", "console"),
    "mocha": ("mocha", "junit", "console"),
    "rspec": ("rspec", "junit", "console"),
}
_DOCUMENTS = ("ctrf", "jest", "sarif", "mocha", "rspec", "pytest_json")
_LINES = ("go_test", "libtest")
_JSON_LINE = lazy(r'^\{ ?"(?:Time|Action|ImportPath|type)"', re.MULTILINE)
_JSON = lazy(r"^\{.*\}$", re.MULTILINE)
_HEAD = 4096
_SMALL = 40
_PACKAGE = "passdown.checks.reports"

Stamp = tuple[int, int, int, int]


def stamp(path: Path) -> Stamp | None:
    """What changes when the file is written anew; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def read(path: Path, named: str | None = None) -> Summary | None:
    """The report's numbers; None where it is too large, not of the ``named`` format, or of none that is known."""
    if path.stat().st_size > MAX_BYTES:
        return None
    with path.open("rb") as file:
        return read_stream(file, named)


def read_stream(file: BinaryIO, named: str | None = None) -> Summary | None:
    """The same of an open file that can be read again."""
    return _first(_MODULES.get(named, (named,)) if named else _likely(file.read(_HEAD)), file)


def _first(modules: tuple[str, ...], file: BinaryIO) -> Summary | None:
    """What the first of these readers finds that knows it."""
    for module in modules:
        file.seek(0)
        found = _reader(module)(file)
        if found is not None:
            return found
    return None


def read_output(text: str) -> Summary | None:
    """Of a check's whole output, where a format for machines stands in it."""
    head = text[:_HEAD].lstrip()
    whole = io.BytesIO(text.encode("utf-8", "replace"))
    if head[:1] == "{" or "TAP version 1" in head:
        return read_stream(whole)
    if _JSON_LINE.search(head):
        return _first(_LINES, whole)
    document = max(_JSON.findall(text), key=len, default="")
    return _first(_DOCUMENTS, io.BytesIO(document.encode("utf-8", "replace"))) if len(document) > _SMALL else None


def _likely(head: bytes) -> tuple[str, ...]:
    """The readers that such a beginning is for."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<" or head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return ("junit", "dotnet")
    return (*_DOCUMENTS, *_LINES) if start == b"{" else ("tap", *_LINES, "console")


def _reader(module: str) -> Callable[[BinaryIO], Summary | None]:
    """Imported when such a report is read: each costs its parser's start."""
    return cast("Callable[[BinaryIO], Summary | None]", importlib.import_module(f"{_PACKAGE}.{module}").read)
