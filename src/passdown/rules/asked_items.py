"""The single things that a text asks for: checkboxes and numbered lists; and the features of a feature_list.json."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from passdown.rules.patterns import lazy

LONGEST = 300
MOST = 200
_BOX = lazy(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+\[([ xX\u2713\u2714]?)\]\s+(\S.*)$")
_NUMBER = lazy(r"^\s{0,3}(?:\*\*)?\(?(\d{1,3})[.):](?:\*\*)?\s+(\S.*)$")
_INLINE = lazy(r"(?:^|(?<=\s))\(?(\d{1,2})[.)]\s+(?=\S)")
_FENCE = lazy(r"^\s*(?:```|~~~)")
_NOT_ASKED = lazy(
    r"\b(?:steps? to reproduce|how to reproduce|repro(?:duction)?(?: steps)?|stack ?trace|trace ?back|log output|logs?"
    r"|output|expected behaviou?r|actual behaviou?r|background|context|environment|what happened)\b[^.\n]{0,30}:?\s*$",
    re.IGNORECASE,
)
_MARKS = lazy(r"\*\*+|~~")
_LIST = lazy(r"\bfeature[ _-]?list\b|\bfeatures\b", re.IGNORECASE)
_NAMES = ("description", "title", "name", "feature", "text")
_PASSES = ("passes", "passing", "passed", "done", "completed")


class AskedItem(Struct, frozen=True):
    """One thing asked for. ``ticked``: what the text itself says, None: nothing; ``number``: as it stands there."""

    text: str
    ticked: bool | None = None
    number: int | None = None


def asked_items(text: str) -> list[AskedItem]:
    """In their order, each once: a numbered list counts from two entries on, a single checkbox is one."""
    scan = _Scan()
    for line in _prose(text):
        scan.line(line)
    lists = Counter(one.group for one in scan.found)
    kept = (one.item for one in scan.found if one.group is None or lists[one.group] > 1)
    once: dict[str, AskedItem] = {}
    for item in kept:
        once.setdefault(item.text.casefold(), item)
    return [item for text, item in once.items() if text][:MOST]


def features(data: bytes) -> list[AskedItem]:
    """The entries of a feature list (a list, or one under any key); [] where it is none. A flag is what it says."""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    if isinstance(value, dict):
        value = next((one for one in value.values() if isinstance(one, list)), [])
    entries = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return [item for one in entries if (item := _feature(one)) is not None][:MOST]


def of_this_task(before: list[AskedItem], now: list[AskedItem], said: Iterable[str]) -> list[AskedItem]:
    """Of a feature list as the base has it (``before``) and as it is ``now`` what this task is asked for.

    An entry that the work added, ticked, unticked or deleted; and where a request names the list (``said``), whatever
    the base had open: a list that lies there is not every task's. One that was deleted stays as the base has it.
    """
    was, is_ = ({item.text: item for item in listed} for listed in (before, now))
    named = any(_LIST.search(text) for text in said)
    found = [is_.get(text, item) for text, item in was.items() if is_.get(text) != item or (named and not item.ticked)]
    return found + [item for text, item in is_.items() if text not in was]


def _feature(entry: dict[str, Any]) -> AskedItem | None:
    text = next((entry[name] for name in _NAMES if isinstance(entry.get(name), str) and entry[name].strip()), None)
    flag = next((entry[name] for name in _PASSES if isinstance(entry.get(name), bool)), None)
    if flag is None and isinstance(entry.get("status"), str):
        flag = entry["status"].lower() in {*_PASSES, "complete", "pass"}
    return AskedItem(_short(text), flag) if text and flag is not None else None


def _prose(text: str) -> Iterator[str]:
    """Lines outside code fences and quotes; a fence ends a block."""
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            yield ""
        elif not fenced and not line.lstrip().startswith(">"):
            yield line


class _Found(Struct):
    """``group``: the numbered list that it belongs to, None: a checkbox, or numbers in one line."""

    item: AskedItem
    group: int | None = None


class _Scan(Struct):
    """Line by line; ``lead`` is the last line that is no list, ``open``: a list goes on below it."""

    found: list[_Found] = field(default_factory=list)
    lead: str = ""
    open: bool = False
    group: int = 0
    last: int = 0

    def line(self, line: str) -> None:
        box, number = _BOX.match(line), _NUMBER.match(line)
        if box:
            self.found.append(_Found(AskedItem(_short(box[2]), ticked=bool(box[1].strip()))))
            self.open = True
        elif number:
            self._numbered(int(number[1]), number[2])
        elif line.strip() and line[:1] in " \t" and self.open:
            self._goes_on(line.strip())
        elif line.strip():
            if not _NOT_ASKED.search(self.lead):
                self.found += [_Found(item) for item in _in_line(line)]
            self.lead, self.open = line, False

    def _numbered(self, number: int, text: str) -> None:
        if number != self.last + 1:
            self.group += 1
        self.last = number
        self.open = not _NOT_ASKED.search(self.lead)
        if self.open:
            self.found.append(_Found(AskedItem(_short(text), number=number), self.group))

    def _goes_on(self, text: str) -> None:
        """An indented line belongs to the entry above, where it is no entry of its own."""
        if self.found and not text.startswith(("- ", "* ", "+ ")):
            last = self.found[-1]
            last.item = msgspec.structs.replace(last.item, text=_short(f"{last.item.text} {text}"))


def _in_line(line: str) -> list[AskedItem]:
    """``1) this 2) that`` in one sentence: numbers from 1 on without a gap, at least two."""
    marks = list(_INLINE.finditer(line))
    if [int(m[1]) for m in marks] != list(range(1, len(marks) + 1)) or len(marks) < 2:  # noqa: PLR2004 - a list
        return []
    ends = [m.start() for m in marks[1:]] + [len(line)]
    parts = [line[m.end() : end].strip(" ,;.") for m, end in zip(marks, ends, strict=True)]
    return [AskedItem(_short(part), number=n) for n, part in enumerate(parts, 1) if part]


def _short(text: str) -> str:
    plain = _MARKS.sub("", " ".join(text.split())).strip(" ;,")
    return plain if len(plain) <= LONGEST else f"{plain[: LONGEST - 1]}\u2026"
