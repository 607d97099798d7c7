"""TAP 13 and 14, with the subtests that node and others nest; leaves are counted, not the groups around them."""

from __future__ import annotations

import re
from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.summary import Summary, Tally
from passdown.rules.patterns import lazy

_POINT = lazy(r"(?P<indent> *)(?P<not>not )?ok\b(?: +(?P<number>\d+))?(?: +-)? *(?P<text>.*)")
_PLAN = lazy(r"(?P<indent> *)1\.\.(?P<count>\d+)(?: *# *(?P<why>.*))?\s*$")
_DIRECTIVE = lazy(r"(?<!\\)# *(?P<word>SKIP|TODO)\w*\b", re.IGNORECASE)
_MESSAGE = lazy(r"^\s*(?:message|error|failureReason): *(?P<block>[|>]-?)? *(?P<text>.*)")
_TIME = lazy(r"\s*# time=[\d.]+\s*m?s\b")
_KEY = lazy(r"\s*\w+: ")
_LINE = 1 << 16


class _Group(Struct):
    """A point whose subtests follow in braces. ``counted``: what was counted before them."""

    indent: int
    name: str
    state: str
    counted: dict[str, int]


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing points; None where it is no TAP."""
    stream = _Stream()
    while line := file.readline(_LINE):
        stream.take(line.decode("utf-8", "replace").rstrip())
    return stream.end()


class _Stream:
    """``points``: how many stand at each indentation since the group above them began."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._known = False
        self._points: dict[int, int] = {}
        self._plan: int | None = None
        self._failed_within: dict[int, bool] = {}
        self._waits: str | None = None
        self._next = ""
        self._first = False
        self._block: int | None = None
        self._groups: list[_Group] = []

    def take(self, line: str) -> None:
        """One line; in a point's block (``---`` to ``...``) nothing is a point."""
        if self._within_block(line):
            if self._waits is not None:
                self._explain(self._waits, line)
        elif line.lstrip().startswith("TAP version 1"):
            self._known = True
        elif line.lstrip().startswith("Bail out!"):
            self._known = True
            self.tally.broken = f"its report says: {line.strip()[:200]}"
        elif plan := _PLAN.fullmatch(line):
            self._known = True
            self._planned(len(plan["indent"]), int(plan["count"]), plan["why"] or "")
        elif point := _POINT.fullmatch(line):
            self._point(point)
        elif line.strip() == "}" and self._groups and self._groups[-1].indent == len(line) - 1:
            self._closed(self._groups.pop())
        elif self._waits is not None:
            self._explain(self._waits, line)

    def _closed(self, group: _Group) -> None:
        """A group stands for itself where nothing in it does, or where it failed and nothing in it did."""
        for held in (self._points, self._failed_within):
            for indent in [i for i in held if i > group.indent]:
                del held[indent]
        failed = self.tally.tests.get("failed", 0) > group.counted.get("failed", 0)
        if self.tally.tests == group.counted or (group.state == "failed" and not failed):
            self.tally.count(group.state, group.name)

    def _within_block(self, line: str) -> bool:
        word = line.lstrip()
        indent = len(line) - len(word)
        if self._block is None:
            self._block = indent if word == "---" and indent and self._points else None
            return self._block is not None
        ended = bool(word) and indent < self._block
        if ended or (word == "..." and indent == self._block):
            self._block = None
        return not ended

    def _explain(self, name: str, line: str) -> None:
        """The message in a failing point's block, on its own line or (``error: |-``) on the next."""
        message = _MESSAGE.match(line)
        if message is None and self._next == "keys" and _KEY.match(line):
            return
        plain = self._first and line.startswith(" ") and line.strip() != "---"
        text = _unquoted(message["text"].strip()) if message else line.strip() if self._next or plain else ""
        self._next = ("text" if message["block"] else "keys") if message is not None and not text else ""
        self._first = False
        if text:
            self.tally.failing[name] = self.tally.failing.get(name) or text[:300]
            self._waits, self._next = None, ""

    def _planned(self, indent: int, count: int, why: str) -> None:
        if indent == 0:
            self._plan = count
            if count == 0 and why:
                self.tally.count("skipped")

    def _point(self, point: re.Match[str]) -> None:
        """A point that closes a deeper group stands for the group."""
        indent = len(point["indent"])
        deeper = [i for i in self._points if i > indent]
        failed_below = any(self._failed_within.pop(i, False) for i in deeper)
        for i in deeper:
            del self._points[i]
        self._points[indent] = self._points.get(indent, 0) + 1
        directive = _DIRECTIVE.search(point["text"])
        failed = bool(point["not"]) and directive is None
        name = _DIRECTIVE.split(_TIME.sub("", point["text"]))[0].strip() or point["number"] or "?"
        self._failed_within[indent] = self._failed_within.get(indent, False) or failed
        self._waits, self._next, self._first = None, "", True
        state = "skipped" if directive else "failed" if failed else "passed"
        if point["text"].endswith("{"):
            self._groups.append(_Group(indent, name.removesuffix("{").strip(), state, dict(self.tally.tests)))
            return
        if deeper and (failed_below or not failed):
            return
        self.tally.count(state, name)
        self._waits = name if failed and name in self.tally.failing else None

    def end(self) -> Summary | None:
        """All of it; points that the plan promised and that are not there make it broken."""
        count = self._points.get(0, 0)
        if not self._known and not count:
            return None
        if not self._known:
            return None
        if not self.tally.broken and self._plan is not None and self._plan != count:
            self.tally.broken = f"its report planned {self._plan} tests and lists {count}"
        if not self.tally.broken and self._plan is None:
            self.tally.broken = "its report ends without a plan"
        return self.tally.summary()


def _unquoted(text: str) -> str:
    """Without the pair of quotes around it; those inside are the message's own."""
    paired = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1].strip() if paired else text
