# ruff: noqa: E501 - a pattern reads best on one line
"""Numbers in the summary that a test runner or linter prints."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.agents.facts.output.numbers import (
    Found,
    ctest,
    deno,
    every_line,
    flutter,
    four_numbers,
    go,
    googletest,
    last_line,
    line_each,
    named_numbers,
    of_all_sorts,
    of_total,
    pairs,
    playwright,
    swift,
    totals,
    unittest,
    vstest,
    zig,
)
from passdown.model.session import Counts

Finder = Callable[[str], Found]
# What each of them needs to see before its pattern is worth a look.
_TESTS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    (
        ("in ",),
        every_line(
            r"^.*?(?:\d+ (?:subtests )?(?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|reruns?)[, ]+)+"
            r"in [\d.]+ ?s.*$"
        ),
    ),
    (("Ran ",), unittest),
    (("Tests",), every_line(r"^\s*Tests:?\s+(?:\d+ \w+(?:, | \| )?)+\s*(?:\(\d+(?: assertions?)?\)|\d+ total|$).*$")),
    ((" pass", " fail", " tests passed"), line_each),
    (("test result: ",), every_line(r"^test result: .*$")),
    (("Summary [",), last_line(r"^\s*Summary \[.*tests? run: .*$")),
    (("DONE ",), last_line(r"^DONE \d+ tests?.*$", of_total("tests?"))),
    (("example",), every_line(r"^\d+ examples?, \d+ failures?.*$", of_total("examples?"))),
    ((" runs, ",), every_line(r"^\d+ runs, \d+ assertions, .*$", of_total("runs"))),
    (
        ("OK (", "Tests: "),
        last_line(
            r"^(?:OK \(\d+ tests?.*|Tests: \d+, Assertions: .*)$",
            lambda line: totals(line) if ":" in line else of_total("tests?")(line),
        ),
    ),
    (("!",), every_line(r"^\s*\S[^\d\n]{1,24}!\s*[-:][^\d\n]+\d+[^\d\n]+\d+[^\d\n]+\d+[^\d\n]+\d+\b.*$", four_numbers)),
    (("Test summary: ",), every_line(r"^Test summary: total: .*$", named_numbers)),
    (("Total tests: ",), vstest),
    (
        ("Tests run: ",),
        every_line(
            r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?(?:, Flakes: \d+)?\s*$", totals
        ),
    ),
    ((" tests completed",), every_line(r"^\d+ tests completed.*$", of_total("tests"))),
    (("% tests passed",), ctest),
    (("test cases: ",), every_line(r"^test cases: +\d+ \|.*$")),
    (("All tests passed (",), every_line(r"^All tests passed \(.*\)$", of_total("test cases?"))),
    (
        ("scenario",),
        every_line(r"^\d+ scenarios? (?:\(|passed).*$", lambda line: pairs(re.sub(r" scenarios?", "", line))),
    ),
    ((" tests, ", " test, "), last_line(r"^\d+ tests?, \d+ passed, \d+ failed.*$")),
    (("Executed ", "Test run with "), swift),
    (
        (" failure",),
        every_line(r"^(?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?, \d+ failures?.*$", of_all_sorts),
    ),
    ((" tests passed!", "tests failed."), flutter),
    ((" | ",), every_line(r"^(?:ok|FAILED) \| \d+ passed.*$", deno)),
    (("[  ",), googletest),
    (("Build Summary: ",), last_line(r"^Build Summary: .*tests passed.*$", zig)),
    ((" passed", " failed", " skipped", " flaky", " did not run"), playwright),
    (("--- ",), go),
)
_PROBLEMS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    (("warning",), last_line(r"^.*\(\d+ errors?, \d+ warnings?\).*$")),
    (("Found ",), last_line(r"^Found \d+ errors?\b.*$")),
    (("warning",), last_line(r"^\d+ errors?, \d+ warnings?.*$")),
    (
        ("rror(s)", "Fehler"),
        last_line(r"^\s*\d+ (?:Error\(s\)|error\(s\)|Fehler)", lambda line: {"errors": int(line.split()[0])}),
    ),
    (
        ("error(s)",),
        last_line(
            r"\d+ warning\(s\), \d+ error\(s\)|^\s*\d+ error\(s\)",
            lambda line: {"errors": int(re.findall(r"(\d+) error", line)[-1])},
        ),
    ),
    ((" issue",), last_line(r"^\d+ issues?[.:]", lambda line: {"errors": int(line.split()[0])})),
    (
        (" offense",),
        last_line(
            r"^\d+ files? inspected, .*offenses?\b",
            lambda line: {"errors": int((re.findall(r"(\d+) offenses?", line) or ["0"])[0])},
        ),
    ),
)


def counts(text: str) -> Counts | None:
    """The numbers of the summaries in ``text`` (cleaned), None where it prints none.

    Problems that a linter or compiler counted stand beside the numbers of tests as errors.
    """
    found = _first(_TESTS, text)
    problems = _first(_PROBLEMS, text)
    if found and problems.get("errors") and not found.get("errors"):
        found["errors"] = problems["errors"]
    numbers = found or problems
    if not numbers:
        return None
    return Counts(**{name: numbers.get(name) for name in ("passed", "failed", "skipped", "errors")})


def tests_counted(text: str) -> Counts | None:
    """The numbers of a test runner's own summary in ``text`` (cleaned), None where there is none."""
    found = _first(_TESTS, text)
    return Counts(**{name: found.get(name) for name in ("passed", "failed", "skipped", "errors")}) if found else None


def _first(table: tuple[tuple[tuple[str, ...], Finder], ...], text: str) -> Found:
    for words, find in table:
        found = find(text) if any(word in text for word in words) else None
        if found:
            return found
    return {}
