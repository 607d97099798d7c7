"""What lines alone tell: tests of languages that no grammar here reads, and remarks that silence a tool."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from passdown.model.integrity import IntegrityKind as Kind
from passdown.rules.integrity.shapes import Finding
from passdown.rules.integrity.weaker_lines import asserts_in_shell, unheeded, weaker
from passdown.rules.patterns import lazy

_ASSERTS = lazy(
    r"\b(?:assert\w*|expect\w*|[Ss]hould\w*|must_\w+|verify\w*|refute\w*|CHECK\w*|REQUIRE\w*|EXPECT_\w+|ASSERT_\w+|"
    r"XCTAssert\w*|"
    r"Assert\.\w+|isEqualTo|toBe\w*|shouldBe\w*|ok|is_deeply)\b\s*[(.!{ <]|->(?:toBe|assert)\w*\("
)
_TEST = lazy(
    r"^\s*(?:def test_\w+|(?:it|test|scenario|specify|example|describe|context|feature)\b\s*[(\"' ].*|"
    r"public function test\w+|"
    r"TEST(?:_[FP])?\s*\(.*|func test\w+|@Test\b.*|\[(?:Fact|Theory|Test|TestMethod|TestCase).*|@test\b.*|fun `?\w.*|"
    r"Scenario(?: Outline)?:.*|sub test_\w+)"
)
_ROW = lazy(r"^\s*(?:\[(?:InlineData|TestCase|DataRow)\b|#\[TestWith\b|@(?:CsvSource|testWith)\b)")
_SKIPS = lazy(
    r"^\s*(?:f(?:it|describe|context)\b|x(?:it|describe|context|specify|scenario|test)\b|(?:it|test|describe)\.(?:skip|todo)\b|skip\b|pending\b|"
    r"@(?:Ignore|Disabled|tag\s+:skip|pending|skip|wip)\b|\[(?:Ignore|Skip)|.*\bSkip\s*=\s*\"|.*\bDISABLED_\w+|"
    r".*\bGTEST_SKIP\b|.*\bmarkTest(?:Skipped|Incomplete)\b|.*\bXCTSkip\b|.*,\s*:?skip(?:\s*=>|:)\s*(?:true|"
    r"[\"'])|#if (?:0|false)\b)"
)
_COMMENT = lazy(r"^\s*(?:#(?!if|\[)|//|--|;|%|/?\*)")
_SILENCE = lazy(
    r"#\s*(?:type:\s*ignore|pyright:\s*ignore|ty:\s*ignore|pyre-ignore|noqa|nosec|pragma:\s*no\s*cover|"
    r"pylint:\s*disable|"
    r"mypy:\s*(?:ignore-errors|disable-error-code)|ruff:\s*noqa|flake8:\s*noqa|fmt:\s*off|rubocop:\s*disable|doctest:\s*\+SKIP)[^#]*"
    r"|(?://|/\*|<!--)\s*(?:eslint-disable[\w-]*|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|"
    r"oxlint-disable[\w-]*|"
    r"istanbul\s+ignore|[cv]8\s+ignore|prettier-ignore|tslint:\s*disable|deno-lint-ignore|nolint|#nosec|lint:ignore|"
    r"NOLINT\w*|NOSONAR|phpstan-ignore[\w-]*|@phpstan-ignore[\w-]*|phpcs:\s*(?:disable|ignore)|swiftlint:\s*disable|"
    r"noinspection|ktlint-disable|dart-ignore|ignore:)[^\n]*"
    r"|#!?\[(?:allow|expect)\([^\]]*\)\]|@SuppressWarnings\([^)]*\)|@Suppress\([^)]*\)|\[SuppressMessage\([^\]]*"
)
_LAYOUT = frozenset({"fmt:off", "prettier-ignore"})
_QUOTES = ('"', "'", "`")


def by_lines(path: str, old: str, new: str) -> list[Finding]:
    """A test file that is compared line by line: skips that came, assertions and tests that are fewer."""
    before, after = _lines(old), _lines(new)
    gone, came = before - after, after - before
    if not gone and not came:
        return []
    found = [
        Finding(path, "skipped", "skip", "", "", line, blocks=True)
        for line in came
        if _SKIPS.search(line) and not _COMMENT.match(line)
    ]
    for rule, pattern in (("tests", _TEST), ("rows", _ROW), ("assertions", _ASSERTS)):
        lost = [line for line in gone.elements() if _is(path, line, rule, pattern)]
        got = [line for line in came.elements() if _is(path, line, rule, pattern)]
        less = weaker(path, lost, got) if rule == "assertions" else None
        if len(lost) > len(got):
            kind: Kind = "deleted" if rule == "tests" else "weakened"
            what = _without(lost, got)
            found.append(
                Finding(
                    path, kind, rule, "", what, f"{len(lost) - len(got)} fewer", blocks=True, count=len(lost) - len(got)
                )
            )
            break
        if less is not None:
            found.append(Finding(path, "weakened", "weaker", "", *less, blocks=True))
    caught = unheeded(path, list(gone), list(came))
    found += [Finding(path, "weakened", "swallowed", "", *told, blocks=True) for told in caught]
    if not found and gone:
        was = next(iter(gone))
        found.append(Finding(path, "changed", "lines", "", was, next(iter(came), "")))
    if not found:
        found.append(Finding(path, "extended", "lines", "", "", next(iter(came))))
    return found


def _is(path: str, line: str, rule: str, pattern: re.Pattern[str]) -> bool:
    said = pattern.search(line) is not None or (rule == "assertions" and asserts_in_shell(path, line))
    return said and not _COMMENT.match(line)


def _lines(text: str) -> Counter[str]:
    return Counter(line for raw in text.splitlines() if (line := " ".join(raw.split())))


def _without(lost: list[str], got: list[str]) -> str:
    """The lost line that least looks like one that came."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - few commands need it

    return min(lost, key=lambda line: max((SequenceMatcher(None, line, g).ratio() for g in got[:20]), default=0.0))


def silenced(path: str, old: str, new: str) -> Iterator[Finding]:
    """Remarks that came in and make a linter, a type checker or coverage look away."""
    known = Counter(mark for _, mark, _ in _silences(old))
    for number, mark, line in _silences(new):
        if known[mark]:
            known[mark] -= 1
        else:
            yield Finding(path, "silenced", _tool(mark), "", "", line.strip()[:200], number)


def _silences(text: str) -> Iterator[tuple[int, str, str]]:
    if not any(word in text for word in _HINTS):
        return
    for number, line in enumerate(text.splitlines(), 1):
        for found in _SILENCE.finditer(line):
            mark = "".join(found[0].split())
            ahead = line[: found.start()].rstrip()
            quoted = ahead.endswith(_QUOTES) or ahead.count('"') % 2 == 1
            if not quoted and not any(word in mark for word in _LAYOUT):
                yield number, mark, line


_HINTS = (
    "ignore", "noqa", "nosec", "no cover", "disable", "@ts-", "nolint", "allow(", "expect(", "Suppress", "NOLINT",
    "NOSONAR", "doctest", "noinspection", "off",
)  # fmt: skip


def _tool(mark: str) -> str:
    """lint, types or coverage."""
    if any(word in mark for word in ("type:ignore", "pyright", "ty:ignore", "pyre", "mypy", "@ts-", "phpstan")):
        return "types"
    return "coverage" if any(word in mark for word in ("nocover", "istanbul", "8ignore")) else "lint"
