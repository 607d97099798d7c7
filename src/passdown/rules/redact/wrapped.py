"""Tokens that stand broken: over lines, in a diff or a quote, by colours, in string literals put together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from passdown.rules.patterns import lazy
from passdown.rules.redact.vendors import INSIDE, VENDORS

_TOKEN = lazy(r"[A-Za-z0-9_./+=-]+")
_BREAK = r"(?:\\?\r?\n|\\+r\\+n|\\+n)"
_SEPARATOR = lazy(
    rf"{_BREAK}[ \t]*(?:[+>|*#-] ?|\d{{1,6}}(?:\t|\u2192|: ?|\|))?[ \t]*"
    r"|(?:\x1b|\\+u001b|\\+x1b|\\+033|\\+e)\[[0-9;]*m(?:(?:\x1b|\\+u001b|\\+x1b|\\+033|\\+e)\[[0-9;]*m)*"
    rf"|\\*[\"'] ?(?:[+.&] ?|{_BREAK}[ \t]*)+ ?\\*[\"']"
    r"|[\u200b\u200c\u200d\u2060\ufeff\u00ad]+"
)
_MIXED = lazy(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9_-]{12,}")
_RANDOM = lazy(r"(?=.*[0-9])(?=.*[A-Za-z]).{3,}|.*(?:[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Z]{3}).*")
_WORDS = tuple(word for name, words, _ in VENDORS if name not in INSIDE for word in words)
_MOST = 60
_KEY_END = lazy(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_MARGIN = r"[ \t]*(?:[+>|#*-] ?|\d{1,6}(?:\t|\u2192|: ?|\|))?[ \t]*"
_KEY_LINE = lazy(rf"{_MARGIN}[A-Za-z0-9+/]{{2,}}={{0,2}}[ \t]*")
_KEY_MARGIN = lazy(rf"(?:\r?\n|(?:\\+r)?\\+n){_MARGIN}$")
_KEY_LONGEST = 8192
_SHORT_LINE = 16


class Broken(Struct, frozen=True):
    """A token from ``start`` to ``end`` of a text, and as it reads without what breaks it."""

    rule: str
    start: int
    end: int
    value: str


def broken(s: str, word: str, rule: str, pattern: re.Pattern[str]) -> Iterator[Broken]:
    """The tokens of one rule in ``s`` that begin with ``word`` and that something breaks."""
    at = s.find(word)
    while at >= 0:
        found = _at(s, at, rule, pattern) if at == 0 or not s[at - 1].isalnum() else None
        if found is not None:
            yield found
        at = s.find(word, found.end if found is not None else at + 1)


def _at(s: str, at: int, rule: str, pattern: re.Pattern[str]) -> Broken | None:
    first = _TOKEN.match(s, at)
    if first is None or _SEPARATOR.match(s, first.end()) is None:
        return None
    whole = pattern.match(first[0])
    complete = whole is not None and whole.end() == len(first[0])
    pieces, ends = [first[0]], [first.end()]
    while len(pieces) < _MOST:
        gap = _SEPARATOR.match(s, ends[-1])
        rest = _TOKEN.match(s, gap.end()) if gap else None
        if rest is None or rest[0].startswith(_WORDS) or not (_MIXED if complete else _RANDOM).fullmatch(rest[0]):
            break
        pieces.append(rest[0])
        ends.append(rest.end())
    found = pattern.match("".join(pieces)) if len(pieces) > 1 else None
    secret = 1 if pattern.groups else 0
    if found is None or not found.start(secret) < len(pieces[0]) < found.end(secret):
        return None
    length = 0
    for piece, end in zip(pieces, ends, strict=True):
        length += len(piece)
        if length >= found.end(secret):
            return Broken(rule, at + found.start(secret), end - (length - found.end(secret)), found[secret])
    return None


def beheaded_keys(s: str) -> Iterator[Broken]:
    """Private keys whose first lines were cut off (``tail``): the lines of base64 that stand above their end."""
    for end in _KEY_END.finditer(s):
        window = s[max(0, end.start() - _KEY_LONGEST) : end.start()]
        margin = _KEY_MARGIN.search(window)
        start = end.start() - len(window) + (margin.start() if margin else len(window))
        taken = 0
        for line in reversed(re.split(r"\r?\n|(?:\\+r)?\\+n", window[: margin.start()] if margin else "")):
            if _KEY_LINE.fullmatch(line) is None or (taken and len(line) < _SHORT_LINE):
                break
            start, taken = s.rfind(line, 0, start), taken + 1
        if taken:
            yield Broken("private-key", start, end.end(), s[start : end.end()])
