"""A command line read once: its programs, those of them that are checks, what it did with git."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from passdown.agents.facts.hooks import git_verbs
from passdown.agents.facts.tools import check_kind, lenient
from passdown.model.session import CheckKind
from passdown.rules.shell import Call, calls
from passdown.rules.shell_words import program, unwrap

PLAIN_PROGRAMS = {
    "cd", "echo", "printf", "cat", "ls", "pwd", "true", "export", "set", "head", "tail", "sort", "uniq", "wc", "date",
    "grep", "egrep", "rg", "tee", "sed", "awk", "exit", "sleep", "Select-Object", "Out-String", "Set-Location",
}  # fmt: skip
_FORGES = {"gh", "glab", "hub"}
_FORGE_WORDS = 3  # gh pr create


class Line(Struct, frozen=True):
    """A command line's programs; its checks; its git verbs (``commit``); all verbs, of forges too (``pr create``)."""

    all: tuple[Call, ...]
    checks: tuple[tuple[CheckKind, Call], ...]
    git: tuple[tuple[str, Call], ...]
    verbs: frozenset[str]

    @property
    def masked(self) -> bool:
        """Whether the exit code does not speak for every program that matters in the line."""
        if self.checks:
            trapped = any(call.words[0] == "trap" for call in self.all)
            return trapped or not all(call.vouched and not lenient(call.words) for _, call in self.checks)
        return any(not c.vouched for c in self.all if program(c.words[0]) not in PLAIN_PROGRAMS)


@lru_cache(maxsize=1024)
def read_line(command: str) -> Line:
    """The programs, checks and verbs of a command line."""
    line = calls(command)
    checks = tuple((kind, call) for call in line if (kind := check_kind(call.words)))
    git = tuple(git_verbs(line)) if "git" in command else ()
    verbs = {verb for verb, _ in git} | (_forge_verbs(line) if any(name in command for name in _FORGES) else set())
    return Line(line, checks, git, frozenset(verbs) if verbs else _NONE)


_NONE: frozenset[str] = frozenset()


def _forge_verbs(line: tuple[Call, ...]) -> set[str]:
    found = (unwrap(call.words) for call in line)
    return {" ".join(words[1:3]) for words in found if len(words) >= _FORGE_WORDS and program(words[0]) in _FORGES}
