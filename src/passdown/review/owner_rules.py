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


class Section(Struct):
    """Rules of which the last that matches counts; ``approvals``: how many of its owners are asked for.

    GitHub's whole file is one section, without a name. ``optional``: its owners are asked, not required.
    """

    name: str = ""
    optional: bool = False
    approvals: int = 1
    rules: list[Rule] = field(default_factory=list)

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of one path in this section; () where nobody is."""
        matching = [rule for rule in reversed(self.rules) if rule.regex.search(path) is not None]
        if not matching or any(rule.spares for rule in matching):
            return ()
        return matching[0].owners


class Parsed(Struct):
    """What a file says; ``warnings``: (line number, what is wrong with it)."""

    sections: list[Section] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)
