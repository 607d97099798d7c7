"""Reads values out of a policy file; each mistake is one line: file, line, key, what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, NoReturn, TypeVar

from msgspec import Struct

from passdown.checks.toml_lines import line_of
from passdown.errors import PassdownError
from passdown.rules.match import fault
from passdown.rules.patterns import lazy

T = TypeVar("T")
_DURATION = lazy(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_KEY_TYPE = lazy(r"(?:sk-)?(?:ssh|ecdsa-sha2)-[\w-]+(?:@openssh\.com)?")
_VARIABLE = lazy(r"[A-Za-z_]\w*")


class Table(Struct, frozen=True):
    """One table of the file. ``prefix`` is what stands before the policy's own keys (``tool.passdown``)."""

    file: str
    text: str
    value: dict[str, Any]
    path: tuple[str, ...] = ()
    prefix: tuple[str, ...] = ()

    def fail(self, key: str, expected: str, got: Any = None) -> NoReturn:
        """Raise the one line."""
        path = (*self.path, key) if key else self.path
        line = line_of(self.text, (*self.prefix, *path))
        said = "" if got is None else f", got {_short(got)}"
        raise PassdownError(f"{self.file}:{line}: {'.'.join(path) or 'policy'}: expected {expected}{said}")

    def only(self, known: Collection[str]) -> None:
        """Refuse keys that do not exist, with the nearest one that does."""
        for key in self.value:
            if key not in known:
                import difflib  # noqa: PLC0415 - only where a key is not known

                near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                line = line_of(self.text, (*self.prefix, *self.path, key))
                hint = f"did you mean {near[0]!r}?" if near else f"keys here: {', '.join(sorted(known))}"
                raise PassdownError(f"{self.file}:{line}: {'.'.join((*self.path, key))}: no such key; {hint}")

    def table(self, key: str) -> Table:
        """A table below this one; an empty one where it is not there."""
        value = self.value.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, "a table", value)
        return Table(self.file, self.text, value, (*self.path, key), self.prefix)

    def text_of(self, key: str) -> str | None:
        """A string that says something."""
        return self._one(key, "a string", lambda v: v if isinstance(v, str) and v.strip() else None)

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.value.get(key, default)
        return value if isinstance(value, bool) else self.fail(key, "true or false", value)

    def choice(self, key: str, of: Sequence[str]) -> str | None:
        """One of several words."""
        return self._one(key, " or ".join(f'"{word}"' for word in of), lambda v: v if v in of else None)

    def duration(self, key: str) -> float | None:
        """Seconds of "10m"."""
        return self._one(key, 'a duration such as "90s", "10m" or "24h"', _seconds)

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        value = self.value.get(key, [])
        if not isinstance(value, list):
            self.fail(key, "a list of strings", value)
        for entry in value:
            if not isinstance(entry, str) or not entry.strip():
                self.fail(key, "a list of strings", entry)
        return value

    def patterns(self, key: str) -> list[str]:
        """Gitignore patterns without ``!``."""
        found = self.texts(key)
        for pattern in found:
            self.pattern(key, pattern)
        return found

    def pattern(self, key: str, pattern: Any) -> str:
        """One pattern."""
        if not isinstance(pattern, str):
            self.fail(key, "a pattern", pattern)
        why = fault(pattern)
        if why is not None:
            self.fail(key, f"a gitignore pattern without '!' ({why})", pattern)
        return pattern

    def regexes(self, key: str) -> list[str]:
        """Regular expressions that compile."""
        found = self.texts(key)
        for expression in found:
            try:
                re.compile(expression)
            except re.error as error:
                self.fail(key, f"a regular expression ({error})", expression)
        return found

    def keys(self, key: str, *, named: bool) -> list[str]:
        """SSH public keys as they stand in a .pub file; ``named``: behind a name, as in allowed_signers."""
        found = self.texts(key)
        for entry in found:
            words = entry.split()
            at = next((n for n, word in enumerate(words) if _KEY_TYPE.fullmatch(word)), None)
            if at is None or (at == 0) == named or at + 1 >= len(words) or "\n" in entry:
                self.fail(key, f'SSH public keys: "{"@name " if named else ""}ssh-ed25519 AAAA..."', entry)
        return found

    def names(self, key: str) -> list[str]:
        """Names of environment variables."""
        found = self.texts(key)
        for name in found:
            if not _VARIABLE.fullmatch(name):
                self.fail(key, "names of environment variables", name)
        return found

    def inside(self, key: str) -> str | None:
        """A path that stays in the repository."""
        return self._one(key, "a path inside the repository", _inside)

    def report(self, key: str, formats: Sequence[str]) -> tuple[str | None, str | None]:
        """A report's path, and its format where ``{ path = ..., format = ... }`` names one."""
        value = self.value.get(key)
        if not isinstance(value, dict):
            return self.inside(key), None
        inner = self.table(key)
        inner.only(("path", "format"))
        path = inner.inside("path")
        return path or inner.fail("path", "a path inside the repository"), inner.choice("format", formats)

    def _one(self, key: str, expected: str, read: Callable[[Any], T | None]) -> T | None:
        if key not in self.value:
            return None
        found = read(self.value[key])
        return found if found is not None else self.fail(key, expected, self.value[key])


def _seconds(value: Any) -> float | None:
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    seconds = float(match[1]) * _SECONDS[match[2]] if match else 0.0
    return seconds if seconds > 0 else None


def _inside(value: Any) -> str | None:
    if not isinstance(value, str) or not value.strip() or value.startswith(("/", "~")) or "\0" in value:
        return None
    return None if ".." in value.split("/") else value


def _short(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - one line
