"""Names of scripts and targets, and the words of a command that are no options."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import Words, program

Reader = Callable[[Words], CheckKind | None]
_TEST = lazy(
    r"tests?|spec|specs|e2e|unit|integration|smoke|coverage|vitest|jest|pytest|mocha|playwright|cypress|phpunit|tox|doctest|tck"
)
_LINT = lazy(
    r"lint\w*|\w+lint|ruff|clippy|style|stylecheck|stylelint|checkstyle|rubocop|flake8|biome|shellcheck|vet|audit"
)
_TYPES = lazy(r"types?|typecheck|typescript|tsc|mypy|pyright|typing|svelte")
_BUILD = lazy(r"build|compile|bundle|package|docs?|site|wheel")
_OTHER = lazy(r"check|checks|ci|verify|validate|validation|precommit|preflight|quality|qa")
_NOT = lazy(
    r"watch|dev|serve|server|start|install|setup|clean|fix|fmt|format|update|open|ui|debug|deps|release|deploy|publish"
    r"|generate|gen|init|seed|fixtures?|data|down|up|logs?|record|new|create|list|help"
)
_FORMATTERS = lazy(r"fmt|format|prettier|black|gofmt|style")


def script_kind(name: str) -> CheckKind | None:
    """Kind of a package script, make target or task by its name: ``test:unit``, ``typecheck``, ``check-format``."""
    parts = [p for p in re.split(r"[:_./\\-]+", re.sub(r"([a-z])([A-Z])", r"\1-\2", name).lower()) if p]
    if not parts:
        return None
    checks_format = any(_FORMATTERS.fullmatch(p) for p in parts) and any(
        p in {"check", "verify", "lint", "ci"} for p in parts
    )
    if checks_format:
        return "lint"
    if any(_NOT.fullmatch(p) for p in parts):
        return None
    pairs: tuple[tuple[re.Pattern[str], CheckKind], ...] = (
        (_TYPES, "types"),
        (_LINT, "lint"),
        (_TEST, "test"),
        (_BUILD, "build"),
    )
    for pattern, kind in (*pairs, (_OTHER, "other")):  # type: tuple[re.Pattern[str], CheckKind]
        if any(pattern.fullmatch(p) for p in parts):
            return kind
    return None


_ORDER: tuple[CheckKind, ...] = ("test", "types", "lint", "build", "other")


def strongest(kinds: list[CheckKind]) -> CheckKind | None:
    """The kind that says most about a change."""
    return min(kinds, key=_ORDER.index) if kinds else None


_MANY = {
    "make",
    "gmake",
    "just",
    "task",
    "mise",
    "turbo",
    "nx",
    "nox",
    "tox",
    "gradle",
    "gradlew",
    "rake",
    "poe",
    "hatch",
}


def kinds_named(words: Words) -> set[CheckKind]:
    """``make lint test``, ``tox -e py312,lint``: the kinds of all that one call names."""
    if program(words[0]) not in _MANY:
        return set()
    named = (name for word in operands(words) for name in word.split(","))
    return {kind for name in named if (kind := script_kind(name)) is not None and kind != "other"}


def operands(words: Words, valued: set[str] | None = None) -> list[str]:
    """The words after the program that are no options (nor values of the options in ``valued``)."""
    found, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word.startswith(("-", "+")) and len(word) > 1:
            skip = word in (valued or set())
        elif "=" not in word or "/" in word:
            found.append(word)
    return found


def first_operand(words: Words, valued: set[str] | None = None) -> str | None:
    """The first word after the program that is no option (nor the value of one of ``valued``)."""
    rest = operands(words, valued)
    return rest[0] if rest else None
