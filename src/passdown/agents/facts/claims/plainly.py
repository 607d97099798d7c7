"""Commands of checks that a statement names in plain words, put into code spans: ``make ci passes``."""

from __future__ import annotations

import re

from passdown.agents.facts.journal import Journal
from passdown.agents.facts.reading import read_line
from passdown.rules.shell_words import program, unwrap

_MOST = 4
ALONE = {"tox", "nox", "pre-commit", "lefthook"}  # no word of a language


def quoted(text: str, journal: Journal) -> str:
    """``text`` with the commands of the session's checks that it names as code spans."""
    for name in _names(journal):
        if name in text:
            text = _marked(name, text)
    return text


def _names(journal: Journal) -> list[str]:
    """The first words of each check's command, the longest first: ``zig build test``, ``zig build``."""
    found: dict[str, None] = {}
    for check in journal.checks:
        for _, call in read_line(check.seen.command).checks:
            words = unwrap(call.words)
            words = (program(words[0]), *words[1:_MOST])
            least = 1 if words[0] in ALONE else 2
            for count in range(least, len(words) + 1):
                found.setdefault(" ".join(words[:count]))
    return sorted(found, key=len, reverse=True)


def _marked(name: str, text: str) -> str:
    """Outside of code spans alone: every second piece between backticks is one."""
    pieces = text.split("`")
    pattern = re.compile(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-]|\.\w)")
    return "`".join(pattern.sub(f"`{name}`", piece) if at % 2 == 0 else piece for at, piece in enumerate(pieces))
