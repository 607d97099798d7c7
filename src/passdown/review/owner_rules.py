"""One rule of CODEOWNERS, and the sections that rules stand in."""

from __future__ import annotations

import re

from msgspec import Struct, field


class Rule(Struct, frozen=True):
    """Who owns what matches; ``pattern`` is the same in gitignore syntax. ``spares``: nobody, whatever else matches."""

    pattern: str
    regex: re.Pattern[str]
    owners: tuple[str, ...] = ()
    spares: bool = False

    @property
    def whole(self) -> bool:
        """Whether it matches all files of a folder or none."""
        return self.pattern == "*" or self.pattern.endswith("/")


class Section(Struct):
    """Rules of which the last that matches counts; ``approvals``: how many of its owners are asked for.

    GitHub's whole file is one section, without a name. ``optional``: its owners are asked, not required.
    """

    name: str = ""
    optional: bool = False
    approvals: int = 1
    rules: list[Rule] = field(default_factory=list)
    _folders: dict[str, int] = field(default_factory=dict)
    _single: list[int] | None = None

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of one path in this section; () where nobody is."""
        if any(rule.regex.search(path) is not None for rule in self.rules if rule.spares):
            return ()
        at = self._of_folder(path)
        if self._single is None:
            self._single = [n for n, rule in enumerate(self.rules) if not rule.whole]
        at = next((n for n in reversed(self._single) if n > at and self.rules[n].regex.search(path)), at)
        return self.rules[at].owners if at >= 0 else ()

    def _of_folder(self, path: str) -> int:
        """The last rule over whole folders that matches, looked for once a folder; -1: none."""
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            matching = (n for n, r in enumerate(self.rules) if r.whole and r.regex.search(path) is not None)
            self._folders[folder] = max(matching, default=-1)
        return self._folders[folder]


class Parsed(Struct):
    """What a file says; ``warnings``: (line number, what is wrong with it)."""

    sections: list[Section] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
