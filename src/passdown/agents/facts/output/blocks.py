"""How the runners name a failing test where its name spans lines or depends on the lines around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passdown.agents.facts.output.errors import first_error, telling_line
from passdown.rules.patterns import lazy

_JEST = lazy(r"^(?:FAIL (?P<file>\S+)(?: \([\d.]+ m?s\))?|  \u25cf (?P<id>.+))$", re.MULTILINE)
_JEST_NOTES = lazy(r"(?:Console|.*Warning:?|Cannot log after tests are done.*|process\.exit called.*)$")
_JEST_NO_SUITE = "Test suite failed to run"
_MOCHA_END = lazy(r"^\s*\d+ failing$", re.MULTILINE)
_MOCHA = lazy(r"^ {2}\d+\) (\S.*(?:\n {4,}\S.*){0,6})", re.MULTILINE)
_NODE_SPEC = lazy(r"^test at \S+:\d+:\d+\n\u2716 (?P<id>.+?)(?: \([\d.]+ms\))?$", re.MULTILINE)
_TAP = lazy(r"^(?P<indent> *)not ok \d+ (?:- )?(?P<id>.*?)(?P<end> # .*)?$", re.MULTILINE)
_TAP_ERROR = lazy(
    r"^\s+error: (?:\|-?\n(?P<block>(?:\s+\S.*\n|\s*\n)+?)\s+\w+:|(?P<mark>['\"])(?P<line>.*)(?P=mark)$)", re.MULTILINE
)
_RSPEC = lazy(r"^rspec '?(?P<id>\./[^'\n ]+)'?(?: # (?P<about>.*))?$", re.MULTILINE)
_RSPEC_ERROR = lazy(r"Failure/Error: .*(?:\n {7,}.*)*?\n\s*\n\s+(?P<line>\S.*(?::\n\s+\S.*)?)")
_BLOCK = 3000
_EXCUSED = lazy(r" # (?:TODO|SKIP)\b")
"""A to-do may fail."""

Named = Iterator[tuple[str, str]]
"""Failing id and its first error line, "" where none is told."""


def jest(text: str) -> Named:
    """``  \u25cf suite \u203a name``, and the file of a suite that did not even run."""
    file = ""
    for match in _JEST.finditer(text):
        if match["file"]:
            file = match["file"]
        elif match["id"] == _JEST_NO_SUITE:
            yield file or _JEST_NO_SUITE, _after(text, match.end())
        elif not _JEST_NOTES.match(match["id"]):
            yield match["id"].strip(), _after(text, match.end())


def mocha(text: str) -> Named:
    """``  1) suite`` with the name under it, down to the line that ends with a colon."""
    end = _MOCHA_END.search(text)
    for match in _MOCHA.finditer(text, end.end()) if end else ():
        lines = match[1].split("\n")
        last = next((number for number, line in enumerate(lines) if line.endswith(":")), None)
        if last is not None:
            yield (
                " ".join(line.strip() for line in lines[: last + 1]).rstrip(":"),
                _after(text, match.start(1) + len("\n".join(lines[: last + 1]))),
            )


def node_spec(text: str) -> Named:
    """The list that closes a run of ``node --test``."""
    for match in _NODE_SPEC.finditer(text):
        if not _EXCUSED.search(match["id"]):
            yield match["id"], _after(text, match.end())


def tap(text: str) -> Named:
    """``not ok`` lines; one that only says that something in it failed is left out."""
    deeper = -1
    for match in _TAP.finditer(text):
        indent, end = len(match["indent"]), (match["end"] or "").upper()
        container = indent < deeper
        deeper = indent
        if container or " TODO" in end or " SKIP" in end:
            continue
        told = _TAP_ERROR.search(text, match.end(), match.end() + _BLOCK)
        lines = (told["block"] or told["line"] or "").split("\n") if told else []
        yield match["id"], next((line.strip() for line in reversed(lines) if line.strip()), "")


def rspec(text: str) -> Named:
    """The list of failed examples, each with what its numbered section says, else with its description."""
    for match in _RSPEC.finditer(text):
        about = match["about"] or ""
        section = re.search(rf"^\s+\d+\) {re.escape(about)}$", text, re.MULTILINE) if about else None
        told = _RSPEC_ERROR.search(text, section.end(), section.end() + _BLOCK) if section else None
        yield match["id"], " ".join(told["line"].split()) if told else about


def _after(text: str, at: int) -> str:
    block = text[at : at + _BLOCK // 2]
    return telling_line(block) or first_error(block)


# What must stand in the text before the finder is worth a look.
BLOCKS = (
    ("\u25cf ", jest),
    (" failing", mocha),
    ("test at ", node_spec),
    ("not ok ", tap),
    ("rspec ", rspec),
)
