"""Path patterns: gitignore syntax without ``!``, compiled once to plain regular expressions.

Equal to git's own matching but for two things: ``?`` and ``[...]`` stand for a character, in git for a byte; and
``a**`` within a name is ``a*``, as gitignore(5) says and some versions of git do not do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from passdown.errors import PassdownError
from passdown.rules.patterns import lazy

AT_END = r"(?:/|\Z)"
"""How a file's regular expression ends: the path itself, or what lies below it."""
_SPECIAL = re.compile(r"([\\*?\[\]!#])")
_ESCAPED = re.compile(r"\\.")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_HINT = "patterns are gitignore syntax without '!', relative to the repository"
_PLAIN = re.compile(r"/?[^/*?[\\\s]+(?:/[^/*?[\\\s]+)*(?:/(?:\*\*)?)?")
_WHOLE = re.compile(r"/?(?:\*+/)*\*+/?")


def normalise(path: str, *, fold_case: bool = False) -> str:
    """The path as it is compared: NFC, and case-folded where the file system does so."""
    path = unicodedata.normalize("NFC", path)
    return unicodedata.normalize("NFC", path.casefold()) if fold_case else path


def literal(path: str) -> str:
    r"""The pattern that matches exactly this path (and what lies below it): anchored, ``[`` and the like escaped."""
    text = _SPECIAL.sub(r"\\\1", path)
    if text[-1:].isspace():  # white space at the end of a line does not count, within brackets it does
        text = f"{text[:-1]}[{text[-1]}]"
    return text if "/" in path.rstrip("/") else "/" + text


def single(pattern: str) -> str | None:
    r"""The one path that a pattern of :func:`literal` stands for, without anchor and escapes; None for any other."""
    bare = _ESCAPED.sub("", pattern)
    if not pattern or pattern.endswith("/") or any(char in bare for char in "*?["):
        return None
    return _ESCAPED.sub(lambda found: found[0][1:], pattern.removeprefix("/"))


def whole_tree(pattern: str) -> bool:
    """Whether the pattern covers every path: ``*``, ``**``, ``/**`` and their like."""
    return _WHOLE.fullmatch(pattern) is not None


def fault(pattern: str) -> str | None:
    """Why this is not a pattern of a boundary, or None; what git would silently ignore is a fault here."""
    if not pattern.strip():
        return "an empty pattern"
    if pattern.startswith("!"):
        return "'!' does not exist here: list what is allowed and what is denied"
    if pattern.startswith("#"):
        return "'#' starts a comment: write '\\#'"
    if pattern.startswith(("//", "~")) or _DRIVE.match(pattern):
        return "an absolute path: write it relative to the repository"
    if pattern.rstrip() != pattern and not pattern.endswith("\\ "):
        return "white space at its end"
    if any(part in (".", "..") for part in pattern.split("/")):
        return "'.' and '..' have no meaning in a pattern"
    if "\0" in pattern:
        return "a NUL"
    return None


class Matcher(Struct, frozen=True):
    r"""Compiled patterns. ``regexes`` (one each, flags inside) serve ``re.search`` on a :func:`normalise`-d path."""

    patterns: tuple[str, ...]
    regexes: tuple[str, ...]
    fold_case: bool = False
    _each: tuple[re.Pattern[str], ...] = ()
    _any: re.Pattern[str] | None = None

    @classmethod
    def compile(cls, patterns: Sequence[str], *, fold_case: bool = False) -> Matcher:
        """Compile, or raise PassdownError that names the bad pattern."""
        return _matcher(tuple(patterns), fold_case)

    def matches(self, path: str) -> int | None:
        """The index of the first pattern that matches; a trailing ``/`` says that the path is a folder."""
        return self.matches_normalised(normalise(path, fold_case=self.fold_case))

    def matches_normalised(self, path: str) -> int | None:
        """The same for a path that is normalised already."""
        if self._any is None or self._any.search(path) is None:
            return None
        return next(i for i, regex in enumerate(self._each) if regex.search(path))


@lru_cache(maxsize=64)
def _matcher(patterns: tuple[str, ...], fold_case: bool) -> Matcher:
    """One command asks the same boundary many times."""
    regexes = tuple(_regex(pattern, fold_case=fold_case) for pattern in patterns)
    each = tuple(_compiled(pattern, regex) for pattern, regex in zip(patterns, regexes, strict=True))
    either = lazy("(?s)" + "|".join(f"(?:{r[4:]})" for r in regexes)) if regexes else None
    return Matcher(patterns, regexes, fold_case, each, either)


def _regex(pattern: str, *, fold_case: bool) -> str:
    """The pattern's regular expression; most are plain paths and need no library to be loaded."""
    name = normalise(pattern, fold_case=fold_case)
    if fault(pattern) is None and _PLAIN.fullmatch(name):
        return _plain(name)
    return _translated(pattern, fold_case=fold_case)


def _plain(path: str) -> str:
    """Of a path without wildcards, ``path/`` or ``path/**``: what pathspec makes of it."""
    folder = path.endswith(("/", "/**"))
    name = path.removesuffix("**").strip("/") if folder else path.lstrip("/")
    anywhere = "" if path.startswith("/") or "/" in name or path.endswith("/**") else "(?:.+/)?"
    return f"(?s)^{anywhere}{re.escape(name)}{'/' if folder else AT_END}"


def _translated(pattern: str, *, fold_case: bool) -> str:
    """Translate as pathspec does, made safe for names with line breaks (``.`` and ``$`` stop at them)."""
    from pathspec.patterns.gitignore import GitIgnorePatternError  # noqa: PLC0415 - 26 ms, only where one compiles
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: PLC0415

    why = fault(pattern)
    if why is None:
        try:
            text, include = GitIgnoreSpecPattern.pattern_to_regex(normalise(pattern, fold_case=fold_case))
        except GitIgnorePatternError:
            text, include = None, None
        if text is not None and include:
            return "(?s)" + str(text).replace("(?P<ps_d>/)", "/").replace("|$)", r"|\Z)")
        why = "git would ignore it"
    raise PassdownError(
        f"not a pattern: {pattern!r}: {why}", "gitignore syntax without '!', relative to the repository"
    )


def _compiled(pattern: str, regex: str) -> re.Pattern[str]:
    if "[" not in pattern:  # nothing that could be wrong
        return lazy(regex)
    try:
        return re.compile(regex)
    except re.error as error:  # a range such as [z-a]
        raise PassdownError(f"not a pattern: {pattern!r}: {error.msg}", _HINT) from error
