# ruff: noqa: E501 - a pattern reads best on one line
"""Which of the runs a statement on tests speaks of: ``integration tests``, ``(npm run test:e2e)``."""

from __future__ import annotations

import re

from passdown.agents.facts.claims.speech import prose
from passdown.agents.facts.claims.tokens import spans
from passdown.agents.facts.journal import Check, Journal
from passdown.agents.facts.reading import read_line
from passdown.agents.facts.scope import picks
from passdown.agents.facts.tools import check_kind
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy
from passdown.rules.shell import calls
from passdown.rules.shell_words import unwrap

_SAID = lazy(
    r"\b(integration|e2e|end[- ]to[- ]end|smoke|acceptance|browser|contract|snapshot|unit)\b(?=[- ](?:(?:and|or|\w+) ){0,2}?(?:tests?|specs?|suites?)\b|\s*(?:,|/|\+|&|and)\s*\w+[- ](?:tests?|specs?)\b)",
    re.IGNORECASE,
)
_NAMES = {
    "integration": r"integration|test:it\b|\bverify\b|failsafe|integrationTest",
    "e2e": r"e2e|end-to-end|playwright|cypress|detox",
    "browser": r"browser|playwright|cypress|karma",
    "unit": r"unit",
}
_TSC = lazy(r"\btsc\b")
_TOOL = lazy(
    r"\b(pytest|jest|vitest|mocha|rspec|phpunit|ctest|playwright|cypress|bats|ruff|eslint|flake8|pylint|biome|clippy|golangci-lint|prettier|rubocop"
    r"|shellcheck|rustfmt|gofmt|stylelint|ktlint|detekt|checkstyle|swiftlint|phpcs|actionlint|yamllint|tflint|mypy|(?:based)?pyright|phpstan|psalm|tsc|terraform)\b",
    re.IGNORECASE,
)
_SCRIPT = lazy(r"[a-z][\w-]*(?::[\w-]+)+$")
_IN_BRACKETS = lazy(
    r"\(((?:npm|pnpm|yarn|bun|mise|make|just|task|composer|rake|poe|nox|tox|gradle|\./gradlew|cargo|go|mix)\s[^()`]{2,60})\)"
)


def is_of(kind: CheckKind, check: Check) -> bool:
    """Whether it is a check of that kind: a build by TypeScript's compiler checks the types as well."""
    return kind in check.kinds or (
        kind == "types" and "build" in check.kinds and _TSC.search(check.seen.command) is not None
    )


def by_tool(text: str, checks: list[Check]) -> list[Check]:
    """Those that ran the tool which ``text`` names (``ruff is clean``), where some did."""
    said = {word.lower() for word in _TOOL.findall(prose(text))}
    own = [c for c in checks if any(tool in c.seen.command.lower() for tool in said)]
    return own or checks


def quoted_kinds(text: str) -> tuple[CheckKind, ...]:
    """The kinds of the checks that ``text`` quotes: ```npm test` - all passed`` speaks of that alone."""
    found = [kind for quote in spans(text) if " " in quote for call in calls(quote) if (kind := check_kind(call.words))]
    return tuple(dict.fromkeys(found))


def names_tool_of(text: str, check: Check) -> bool:
    """Whether ``text`` names the tool that ``check`` ran."""
    return any(tool.lower() in check.seen.command.lower() for tool in _TOOL.findall(prose(text)))


def unrun(text: str, checks: list[Check]) -> str | None:
    """The quoted script with a name of its own (``test:e2e``) that none of ``checks`` ran."""
    quotes: list[str] = [*spans(text), *_IN_BRACKETS.findall(text)]
    for quote in quotes:
        named = [word for word in quote.split() if _SCRIPT.fullmatch(word)]
        if not named or not any(check_kind(call.words) for call in calls(quote)):
            continue
        if not any(named[0] in check.seen.command.split() for check in checks):
            return quote
    return None


def all_of_sort(text: str, checks: list[Check]) -> bool:
    """Whether it speaks of one sort of tests alone, and the last of ``checks`` ran all of that sort."""
    words = prose(text)
    if len(_SAID.findall(words)) != 1 or re.search(r"\b(?:including|plus|and)\b|\btest suite\b", words):
        return False
    ran = read_line(checks[-1].seen.command).checks if checks else ()
    return bool(ran) and not any(picks(unwrap(call.words)) for kind, call in ran if kind == "test")


def of_sort(text: str, checks: list[Check], journal: Journal) -> tuple[list[Check], str | None]:
    """The runs of the sorts of tests that ``text`` names, and the first sort that none of them shows."""
    said = list(dict.fromkeys("e2e" if m.startswith("end") else m for m in map(str.lower, _SAID.findall(prose(text)))))
    if not said:
        return checks, None
    outputs = {ran.record: ran.output for ran in journal.ran if ran.check is not None}
    found: list[Check] = []
    for sort in said:
        own = [c for c in checks if _shows(sort, c, outputs)]
        others = [c for c in checks if any(_named(other, c.seen.command) for other in _NAMES if other != sort)]
        kept = own or [c for c in checks if c not in others]
        if not kept and checks:
            return [], sort
        found += [c for c in kept if c not in found]
    return sorted(found, key=lambda c: c.seq), None


def _shows(sort: str, check: Check, outputs: dict[int, str]) -> bool:
    record = check.seen.record
    return _named(sort, check.seen.command) or (record is not None and _named(sort, outputs.get(record, "")))


def _named(sort: str, text: str) -> bool:
    return re.search(_NAMES.get(sort, sort), text, re.IGNORECASE) is not None
