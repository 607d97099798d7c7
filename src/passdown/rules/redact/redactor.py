"""The one object that every writer of records and text passes its text through."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct, structs

from passdown.errors import PassdownError
from passdown.rules.patterns import lazy
from passdown.rules.redact.names import ASSIGNABLE, ASSIGNED, KEYWORDS, is_secret, name_before
from passdown.rules.redact.probe import may_hold_secrets
from passdown.rules.redact.shapes import SHAPES
from passdown.rules.redact.vendors import INSIDE, VENDORS
from passdown.rules.redact.wrapped import Broken, beheaded_keys, broken

T = TypeVar("T")
_RULES = tuple((name, words, lazy(pattern), name in INSIDE) for name, words, pattern in (*SHAPES, *VENDORS))
_VENDORS = frozenset(name for name, _, _ in VENDORS)
_AWS_SECRET = lazy(
    r"""(?i:aws[\w.-]{0,20}secret[\w.-]{0,20}|secret_?access_?key)(?:\\*["']|%22)?(?:\s|%20)*(?:[:=]|%3D|%3A)(?:\s|%20)*(?:\\*["']|%22)?((?:[A-Za-z0-9+/]|%2[BbFf]|\\/){40,60})(?![A-Za-z0-9+/])"""
)
_MARKER = lazy(r"\[redacted:[\w-]+:[0-9a-f]{8}\]")
_NEWLINES = lazy(r"\\+u000a|\\+[rn]|\s+")
_PERCENT = lazy(r"%([0-9A-Fa-f]{2})")
_INSTANT = lazy(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)")
_SMALLEST = 6
_SHORT = 64
_MOST_CLEAN = 4096


class Redactor:
    """Replaces secrets by ``[redacted:<rule>:<8 hex>]``; equal values under one salt give equal markers.

    ``extra`` are the policy's regular expressions (first group, else the whole match, is the
    secret); a bad one raises ``PassdownError``. ``counts`` says how many each rule replaced.
    """

    def __init__(self, extra: Iterable[str] = (), salt: bytes = b"") -> None:
        self.counts: Counter[str] = Counter()
        self._salt = salt
        self._clean: set[str] = set()
        self._extra = tuple(_compiled(pattern) for pattern in extra)

    def text(self, s: str) -> str:
        """``s`` without its secrets; idempotent."""
        if len(s) < _SMALLEST:
            return s
        for pattern in self._extra:
            s = self._replace("extra", pattern, s)
        if not may_hold_secrets(s, _lower(s)):
            return s
        s = self._rules(s)
        if "secret" in s.lower():
            s = self._replace("aws-secret", _AWS_SECRET, s)
        return self._assignments(s)

    def _put(self, found: Iterable[Broken], s: str) -> str:
        """``s`` with markers in place of what was found, in order."""
        parts, done = [], 0
        for one in found:
            if one.start >= done and not _MARKER.search(s[one.start : one.end]):
                parts += [s[done : one.start], self._marker(one.rule, one.value)]
                done = one.end
        return "".join([*parts, s[done:]]) if parts else s

    def _rules(self, s: str) -> str:
        """The rules whose literal stands in ``s``."""
        for name, words, pattern, inside in _RULES:
            for word in words:
                if word not in s:
                    continue
                if inside:
                    s = self._replace(name, pattern, s)
                    break
                if name in _VENDORS:  # before the rule takes the beginning of a broken token for all of it
                    s = self._put(broken(s, word, name, pattern), s)
                s = self._replace_from(name, word, pattern, s)
        if "PRIVATE KEY-----" in s:
            s = self._put(beheaded_keys(s), s)
        return s

    def value(self, obj: T) -> T:
        """A Struct, dataclass or JSON value of the same shape, with every string in it redacted."""
        done: Any = self._walk(obj)
        return done  # type: ignore[no-any-return] # the walk keeps the type

    def _replace(self, rule: str, pattern: re.Pattern[str], s: str) -> str:
        def swap(match: re.Match[str]) -> str:
            start, end = match.span(1) if pattern.groups and match[1] is not None else match.span()
            value = s[start:end]
            if (len(value) < _SMALLEST and rule != "url-userinfo") or _MARKER.search(value):
                return match[0]
            whole, offset = match[0], match.start()
            return whole[: start - offset] + self._marker(rule, value) + whole[end - offset :]

        return pattern.sub(swap, s)

    def _replace_from(self, rule: str, word: str, pattern: re.Pattern[str], s: str) -> str:
        """Like ``_replace``, for a pattern that begins with ``word``: looks only where that stands."""
        parts, done, at = [], 0, s.find(word)
        while at >= 0:
            match = pattern.match(s, at)
            if match is None:
                at = s.find(word, at + 1)
                continue
            start, end = match.span(1) if pattern.groups else match.span()
            parts += [s[done:start], self._marker(rule, s[start:end])]
            done, at = end, s.find(word, end)
        return "".join([*parts, s[done:]]) if parts else s

    def _assignments(self, s: str) -> str:
        """Values of names that speak of secrets; looks only where such a word stands."""
        lowered = _lower(s)
        parts, done = [], 0
        for at in sorted({at for word in KEYWORDS for at in _places(lowered, word)}):
            match = ASSIGNED.match(s, at) if at >= done else None
            if match is None:
                continue
            value = match["value"] + match["more"]
            name = name_before(s, at) + match["word"]
            if _MARKER.search(value) or not is_secret(name, unquote(match["value"])):
                continue
            start, done_here = match.start("value"), match.end()
            parts += [s[done:start], self._marker("named-secret", value)]
            done = done_here
        return "".join([*parts, s[done:]]) if parts else s

    def _marker(self, rule: str, value: str) -> str:
        self.counts[rule] += 1
        plain = _NEWLINES.sub("", unquote(value)).replace("\\", "")
        digest = hmac.new(self._salt, plain.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()
        return f"[redacted:{rule}:{digest[:8]}]"

    def _walk(self, obj: Any) -> Any:
        if isinstance(obj, str):
            return self.text(obj) if len(obj) > _SHORT else self._short(obj)
        if isinstance(obj, dict):
            return {self._walk(key): self._pair(key, value) for key, value in obj.items()}
        if isinstance(obj, Struct):
            changed = self._changed((name, getattr(obj, name)) for name in obj.__struct_fields__)
            return structs.replace(obj, **changed) if changed else obj
        if isinstance(obj, (list, tuple, set, frozenset)):
            return type(obj)([self._walk(item) for item in obj])
        if hasattr(type(obj), "__dataclass_fields__"):
            import dataclasses  # noqa: PLC0415 - no value of ours is one

            changed = self._changed((f.name, getattr(obj, f.name)) for f in dataclasses.fields(obj) if f.init)
            return dataclasses.replace(obj, **changed) if changed else obj
        return obj

    def _short(self, s: str) -> str:
        """Folders, names and times stand in a record again and again."""
        if s in self._clean or (not self._extra and _INSTANT.fullmatch(s)):
            return s
        done = self.text(s)
        if done == s and len(self._clean) < _MOST_CLEAN:
            self._clean.add(s)
        return done

    def _changed(self, fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        """Only the fields that the walk changed, so that nothing else is copied."""
        done = {}
        for name, value in fields:
            if value is None or isinstance(value, (bool, int)):
                continue
            walked = self._walk(value)
            if walked is not value and walked != value:
                done[name] = walked
        return done

    def _pair(self, key: Any, value: Any) -> Any:
        """A member of a JSON object: its own name can say that the value is a secret."""
        done = self._walk(value)
        text = isinstance(key, str) and isinstance(done, str) and "\n" not in done
        if text and ASSIGNABLE.search(key) and not _MARKER.search(done) and is_secret(key, done):
            return self._marker("named-secret", done)
        return done


def unquote(s: str) -> str:
    """``s`` with its percent escapes undone."""
    return _PERCENT.sub(lambda m: chr(int(m[1], 16)), s) if "%" in s else s


def _lower(s: str) -> str:
    """Lower case of the same length, so that places found in it hold in ``s``."""
    lowered = s.lower()
    return lowered if len(lowered) == len(s) else "".join(c.lower() if c.isascii() else c for c in s)


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise PassdownError(
            f"redact.extra: {pattern!r} is no regular expression: {error}", "Python's `re` syntax is expected"
        ) from error
    if compiled.match(""):
        raise PassdownError(
            f"redact.extra: {pattern!r} matches nothing at all, so it would match everywhere",
            "name at least one character",
        )
    return compiled
