"""Checks that ran inside ``git commit`` or ``git push``, told by what their hook printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passdown.agents.facts.output.counts import tests_counted
from passdown.agents.facts.scripts import script_kind
from passdown.agents.facts.tools import check_kind
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell import Call, calls
from passdown.rules.shell_words import program, unwrap

_DOTTED = lazy(r"^(.{3,70}?)\.{3,}(?:\([^)]*\))?(Passed|Failed|Skipped)\s*$", re.MULTILINE)
_BRACKETED = lazy(r"^(?:Analyzing with |Run )?(.{3,70}?)\.{3,}\[[\w ]+\] (OK|FAILED|WARNING)\s*$", re.MULTILINE)
_NOT_OURS = lazy(r"^(?:remote: ?|\[[^\]\n]+ [0-9a-f]{7,}\] ).*$", re.MULTILINE)
_ECHOED = lazy(r"^(?:\$|>|\+) ([\w@./-]+(?: .*)?)$", re.MULTILINE)
_LEFTHOOK = lazy(
    r"^\s*(\u2714\ufe0f?|\U0001f94a|\u2716|\u274c)\s+([\w:.-]+)(?: \([\d.]+ seconds\))?(?:: .*)?\s*$", re.MULTILINE
)
_GAVE_UP = lazy(
    r"^husky - .*\bhook (?:failed|exited with code [1-9])|^husky - \S+ (?:script|hook) (?:failed|exited)", re.MULTILINE
)
_TASKS = lazy(
    r"^\[(?:COMPLETED|FAILED|STARTED)\] (.+)$|^\s*[\u2714\u2716] ((?:eslint|prettier|biome|tsc|ruff|vitest|jest)\b.*)$",
    re.MULTILINE,
)
_NAMED: tuple[tuple[re.Pattern[str], CheckKind], ...] = (
    (lazy(r"\b(?:unit |integration )?tests?\b|pytest|jest|vitest|rspec|phpunit|ctest", re.IGNORECASE), "test"),
    (lazy(r"type[- ]?check|\bmypy\b|\btsc\b|pyright|\btypes?\b", re.IGNORECASE), "types"),
    (
        lazy(
            r"\blint\w*|ruff|eslint|flake8|clippy|biome|prettier|black|isort|pylint|rubocop|shellcheck|yamllint",
            re.IGNORECASE,
        ),
        "lint",
    ),
    (lazy(r"\bbuild\b|\bcompile\b", re.IGNORECASE), "build"),
    (lazy(r"\bvalidate\b|\bcheck\b(?! (?:for|yaml|json|toml|xml))|\bverify\b", re.IGNORECASE), "other"),
)


def git_verbs(line: tuple[Call, ...]) -> list[tuple[str, Call]]:
    """The git sub-commands of a line (``commit``, ``push``), each with its call."""
    found = []
    for call in line:
        words = unwrap(call.words)
        if not words or program(words[0]) != "git":
            continue
        rest = list(words[1:])
        while rest and rest[0].startswith("-"):
            rest = rest[2:] if rest[0] in {"-C", "-c", "--git-dir", "--work-tree"} else rest[1:]
        if rest:
            found.append((rest[0], call))
    return found


def hook_gave_up(output: str) -> bool:
    """Whether the hook's runner says that it failed: a program around git may end with 0 all the same."""
    return _GAVE_UP.search(output) is not None


def _named(name: str) -> CheckKind | None:
    return next((kind for pattern, kind in _NAMED if pattern.search(name)), None)


Shown = tuple[CheckKind, str, bool | None]


def hook_checks(output: str) -> list[Shown]:
    """(kind, name, passed) of each check that a hook's output (cleaned) shows; passed None: not said."""
    found = [*_with_a_verdict(output), *_with_a_command(output)]
    if all(kind != "test" for kind, _, _ in found):
        numbers = tests_counted(_NOT_OURS.sub("", output))
        if numbers is not None:
            found.append(("test", "tests", False if numbers.failed else None))
    return found


def _with_a_verdict(output: str) -> Iterator[Shown]:
    """One line a hook, and what came out of it."""
    for name, status in (*_DOTTED.findall(output), *_BRACKETED.findall(output)):
        kind = _named(name)
        if kind and status != "Skipped":
            yield kind, name.strip(), status not in {"Failed", "FAILED"}
    for sign, name in _LEFTHOOK.findall(output):
        kind = _named(name) or script_kind(name)
        if kind:
            yield kind, name, sign.startswith("\u2714")


def _with_a_command(output: str) -> Iterator[Shown]:
    """Commands that a hook printed before it ran them."""
    for line in _ECHOED.findall(output):
        kind = next((kind for call in calls(line) if (kind := check_kind(call.words))), None)
        if kind:
            yield kind, line, None
    for pair in _TASKS.findall(output):
        name = pair[0] or pair[1]
        kind = check_kind(tuple(name.split()))
        if kind:
            yield kind, name, None
