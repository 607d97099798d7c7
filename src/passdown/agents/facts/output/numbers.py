# ruff: noqa: E501 - a pattern reads best on one line
"""How each runner prints its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.rules.patterns import lazy

_WORD = {
    "passed": "passed", "pass": "passed", "passing": "passed", "succeeded": "passed",
    "failed": "failed", "fail": "failed", "failing": "failed", "failures": "failed", "failure": "failed",
    "skipped": "skipped", "skip": "skipped",
    "skips": "skipped", "pending": "skipped", "todo": "skipped", "ignored": "skipped", "disabled": "skipped",
    "xfailed": "skipped", "errors": "errors", "error": "errors",
}  # fmt: skip
_PAIR = lazy(r"(\d+) (\w+)")
_KEYED = lazy(
    r"(Failed|Passed|Skipped|Failures|Errors|failures|errors|skipped|Pending|Risky|Incomplete)\s*[:=]\s*(\d+)"
)

Found = dict[str, int]


def pairs(text: str) -> Found:
    """``5 passed, 1 failed``."""
    found: Found = {}
    for number, word in _PAIR.findall(text):
        name = _WORD.get(word.lower())
        if name:
            found[name] = found.get(name, 0) + int(number)
    return found


def keyed(text: str) -> Found:
    """``Passed: 5, Failures=1``."""
    found: Found = {}
    for word, number in _KEYED.findall(text):
        name = _WORD.get(word.lower(), "skipped")
        found[name] = found.get(name, 0) + int(number)
    return found


def last_line(pattern: str, read: Callable[[str], Found] = pairs) -> Callable[[str], Found]:
    """The numbers of the last line that matches."""
    compiled = lazy(pattern, re.MULTILINE)

    def find(text: str) -> Found:
        line = ""
        for match in compiled.finditer(text):
            line = match[0]
        return read(line) if line else {}

    return find


def every_line(pattern: str, read: Callable[[str], Found] = pairs) -> Callable[[str], Found]:
    """The numbers of all lines that match, added up: several packages, several environments."""
    compiled = lazy(pattern, re.MULTILINE)

    def find(text: str) -> Found:
        total: Found = {}
        for match in compiled.finditer(text):
            for name, number in read(match[0]).items():
                total[name] = total.get(name, 0) + number
        return total

    return find


def totals(line: str) -> Found:
    """``Tests run: 5, Failures: 1``: what passed is what is left."""
    found = keyed(line)
    number = re.search(r"(?:Tests run|Tests|Total tests|Total)\s*:\s*(\d+)", line)
    if number and "passed" not in found:
        left = int(number[1]) - sum(found.get(n, 0) for n in ("failed", "errors", "skipped"))
        found["passed"] = max(left, 0)
    return found


def of_total(word: str) -> Callable[[str], Found]:
    """``10 examples, 1 failure, 2 pending``: what passed is what is left."""

    def read(line: str) -> Found:
        found = pairs(line)
        number = re.search(rf"(\d+) {word}", line)
        if number:
            rest = sum(found.get(n, 0) for n in ("failed", "errors", "skipped"))
            found["passed"] = max(int(number[1]) - rest, 0)
        return found

    return read


def unittest(text: str) -> Found:
    """``Ran 6 tests`` and the line of its end; several runs add up."""
    total: Found = {}
    for ran, end in re.findall(
        r"^Ran (\d+) tests? in .*\n(?:\s*\n)*^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?\s*$", text, re.MULTILINE
    ):
        found = keyed(end.replace("expected failures", "Skipped").replace("unexpected successes", "Failures"))
        found["passed"] = max(int(ran) - sum(found.values()), 0)
        total = _added(total, found)
    return total


def _added(one: Found, other: Found) -> Found:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def line_each(text: str) -> Found:
    """Runners that print one line a number: ``1351 pass`` / ``0 fail``, ``12 passing``, ``# pass 5``, ``1 test failed``."""
    found: Found = {}
    for number, word in re.findall(
        r"^\s*(\d+) (?:tests? )?(pass|passed|fail|failed|passing|failing|pending|skip|skipped|todo)\b(?: \([\dms.]+\))?\s*$",
        text,
        re.MULTILINE,
    ):
        found = _added(found, {_WORD[word]: int(number)})
    for word, number in re.findall(r"^(?:#|\u2139) (pass|fail|skipped|todo) (\d+)\s*$", text, re.MULTILINE):
        found = _added(found, {_WORD[word]: int(number)})
    return found if "passed" in found or "failed" in found else {}


def playwright(text: str) -> Found:
    """``  3 passed (9.3s)``, one line a number."""
    found: Found = {}
    for number, word in re.findall(
        r"^\s{2,}(\d+) (passed|failed|skipped|flaky|did not run)(?: \([\dms.]+\))?\s*$", text, re.MULTILINE
    ):
        name = _WORD.get(word, "skipped")
        found[name] = found.get(name, 0) + int(number)
    return found


def go(text: str) -> Found:
    """``--- FAIL: TestX``: counted where they are printed (without ``-v`` those that passed are not)."""
    passed = len(re.findall(r"^\s*--- PASS: ", text, re.MULTILINE))
    failed = len(re.findall(r"^\s*--- FAIL: ", text, re.MULTILINE))
    skipped = len(re.findall(r"^\s*--- SKIP: ", text, re.MULTILINE))
    if not (passed or failed):
        return {}
    return {"failed": failed, "skipped": skipped, **({"passed": passed} if passed else {})}


def ctest(text: str) -> Found:
    """``67% tests passed, 2 tests failed out of 6``; what was skipped stands in a list and counts there as passed."""
    found: Found = {}
    for line in re.findall(r"^\d+% tests passed, \d+ tests failed out of \d+", text, re.MULTILINE):
        numbers = [int(n) for n in re.findall(r"\d+", line)]
        found = _added(found, {"failed": numbers[1], "passed": numbers[2] - numbers[1]})
    skipped = len(re.findall(r"^\s+\d+ - .+ \(Skipped\)$", text, re.MULTILINE))
    if found and skipped:
        found |= {"passed": max(found["passed"] - skipped, 0), "skipped": skipped}
    return found


def four_numbers(line: str) -> Found:
    """``Bestanden! : Fehler: 0, erfolgreich: 10, \u00fcbersprungen: 1, gesamt: 11``: in every language the same four."""
    failed, passed, skipped, total = (int(number) for number in re.findall(r"\d+", line)[:4])
    return {"failed": failed, "passed": passed, "skipped": skipped} if failed + passed + skipped == total else {}


def vstest(text: str) -> Found:
    """``Total tests: 12`` and a line for each number that is not 0."""
    total = re.search(r"^Total tests: (\d+)", text, re.MULTILINE)
    if not total:
        return {}
    return keyed("\n".join(re.findall(r"^ +(?:Passed|Failed|Skipped) *: \d+", text, re.MULTILINE)))


def googletest(text: str) -> Found:
    """``[  PASSED  ] 11 tests.``."""
    found: Found = {}
    for word, number in re.findall(r"^\[  (PASSED|FAILED|SKIPPED) {1,2}\] (\d+) tests?[.,]", text, re.MULTILINE):
        found = _added(found, {_WORD[word.lower()]: int(number)})
    return found


def swift(text: str) -> Found:
    """XCTest's closing line, and the run of Swift Testing beside it, which names only the tests that failed."""
    found = last_line(r"^\s*Executed \d+ tests?, with .*failures?.*$", of_total("tests?"))(text)
    run = re.search(r"^\S Test run with (\d+) tests?.* (passed|failed) after", text, re.MULTILINE)
    if not run:
        return found
    if run[2] == "passed":
        return _added(found, {"passed": int(run[1])})
    failed = len(re.findall(r"^\u2718 Test (?!run with)\S.* failed after", text, re.MULTILINE))
    return _added({name: n for name, n in found.items() if n}, {"failed": failed} if failed else {})


def named_numbers(line: str) -> Found:
    """``total: 12, failed: 1, succeeded: 11, skipped: 0``."""
    return {_WORD[word]: int(n) for word, n in re.findall(r"(failed|succeeded|skipped): (\d+)", line)}


def of_all_sorts(line: str) -> Found:
    """``2 doctests, 13 tests, 1 failure``: what passed is what is left of all sorts."""
    found = pairs(line)
    number = sum(int(n) for n in re.findall(r"(\d+) (?:doctest|propert|test)", line))
    found["passed"] = max(number - sum(found.get(n, 0) for n in ("failed", "errors", "skipped")), 0)
    return found


def deno(line: str) -> Found:
    """``1 passed (1 step) | 2 failed (1 step)``: steps aside."""
    return pairs(re.sub(r"\(.*?\)", "", line))


def zig(line: str) -> Found:
    """``4/5 tests passed; 1 failed``."""
    passed, total = re.findall(r"(\d+)/(\d+) tests passed", line)[-1]
    return {"passed": int(passed), "failed": int(total) - int(passed)}


def flutter(text: str) -> Found:
    """``00:05 +13 ~1 -2: Some tests failed.``: the last line of Dart's runner."""
    found = re.findall(
        r"^\d\d:\d\d \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (?:All tests passed!|Some tests failed\.)", text, re.MULTILINE
    )
    if not found:
        return {}
    passed, skipped, failed = (int(number or 0) for number in found[-1])
    return {"passed": passed, "failed": failed, "skipped": skipped}
