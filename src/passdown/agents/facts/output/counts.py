"""Numbers in the summary that a test runner or linter prints."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.model.session import Counts
from passdown.rules.patterns import lazy

ANSI = lazy(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07")
_PREFIX = lazy(r"^\[[a-z][\w:./-]*\] (?=\S)", re.MULTILINE)
_TRAILING = lazy(r"[ \t\f\v]+$", re.MULTILINE)
_BLANK = lazy(r"\n{3,}")
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


def clean(text: str) -> str:
    """Text without terminal colours, carriage returns and the task names that runners put before each line."""
    if "\x1b" in text:
        text = ANSI.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if " \n" in text or "\t\n" in text or text.endswith((" ", "\t")):
        text = _TRAILING.sub("", text)
    if "\n\n\n" in text:
        text = _BLANK.sub("\n\n", text)
    return _PREFIX.sub("", text) if "[" in text else text


def _pairs(text: str) -> Found:
    found: Found = {}
    for number, word in _PAIR.findall(text):
        name = _WORD.get(word.lower())
        if name:
            found[name] = found.get(name, 0) + int(number)
    return found


def _keyed(text: str) -> Found:
    found: Found = {}
    for word, number in _KEYED.findall(text):
        name = _WORD.get(word.lower(), "skipped")
        found[name] = found.get(name, 0) + int(number)
    return found


def _last(pattern: str, read: Callable[[str], Found] = _pairs, flags: int = re.MULTILINE) -> Callable[[str], Found]:
    compiled = re.compile(pattern, flags)

    def find(text: str) -> Found:
        line = ""
        for match in compiled.finditer(text):
            line = match[0]
        return read(line) if line else {}

    return find


def _sum(pattern: str, read: Callable[[str], Found] = _pairs) -> Callable[[str], Found]:
    compiled = re.compile(pattern, re.MULTILINE)

    def find(text: str) -> Found:
        total: Found = {}
        for match in compiled.finditer(text):
            for name, number in read(match[0]).items():
                total[name] = total.get(name, 0) + number
        return total

    return find


def _totals(line: str) -> Found:
    """``Tests run: 5, Failures: 1``: what passed is what is left."""
    found = _keyed(line)
    number = re.search(r"(?:Tests run|Tests|Total tests|Total)\s*:\s*(\d+)", line)
    if number and "passed" not in found:
        left = int(number[1]) - sum(found.get(n, 0) for n in ("failed", "errors", "skipped"))
        found["passed"] = max(left, 0)
    return found


def _of_total(word: str) -> Callable[[str], Found]:
    """``10 examples, 1 failure, 2 pending``: what passed is what is left."""

    def read(line: str) -> Found:
        found = _pairs(line)
        number = re.search(rf"(\d+) {word}", line)
        if number:
            rest = sum(found.get(n, 0) for n in ("failed", "errors", "skipped"))
            found["passed"] = max(int(number[1]) - rest, 0)
        return found

    return read


def _unittest(text: str) -> Found:
    ran = re.findall(r"^Ran (\d+) tests? in", text, re.MULTILINE)
    end = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?\s*$", text, re.MULTILINE)
    if not ran or not end:
        return {}
    found = _keyed(end[-1])
    found["passed"] = max(int(ran[-1]) - sum(found.values()), 0)
    return found


def _lines(text: str) -> Found:
    """Runners that print one line a number: ``1351 pass`` / ``0 fail``, ``12 passing``, ``# pass 5``."""
    found: Found = {}
    for number, word in re.findall(
        r"^\s*(\d+) (pass|fail|passing|failing|pending|skip|todo)\b(?: \([\dms.]+\))?\s*$", text, re.MULTILINE
    ):
        found[_WORD[word]] = int(number)
    for word, number in re.findall(r"^(?:#|\u2139) (pass|fail|skipped|todo) (\d+)\s*$", text, re.MULTILINE):
        found[_WORD[word]] = int(number) + (found.get("skipped", 0) if word == "todo" else 0)
    return found if "passed" in found or "failed" in found else {}


def _playwright(text: str) -> Found:
    found: Found = {}
    for number, word in re.findall(
        r"^\s{2,}(\d+) (passed|failed|skipped|flaky|did not run)(?: \([\dms.]+\))?\s*$", text, re.MULTILINE
    ):
        name = _WORD.get(word, "skipped")
        found[name] = found.get(name, 0) + int(number)
    return found


def _go(text: str) -> Found:
    passed = len(re.findall(r"^\s*--- PASS: ", text, re.MULTILINE))
    failed = len(re.findall(r"^\s*--- FAIL: ", text, re.MULTILINE))
    skipped = len(re.findall(r"^\s*--- SKIP: ", text, re.MULTILINE))
    if not (passed or failed):
        return {}
    return {"failed": failed, "skipped": skipped, **({"passed": passed} if passed else {})}


def _ctest(line: str) -> Found:
    numbers = [int(n) for n in re.findall(r"\d+", line)]
    return {"failed": numbers[1], "passed": numbers[2] - numbers[1]}


Finder = Callable[[str], Found]
# What each of them needs to see before its pattern is worth a look.
_TESTS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    (
        ("in ",),
        _last(
            r"^.*?(?:\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|rerun)[, ]+)+"
            r"in [\d.]+ ?s.*$"
        ),
    ),
    (("Ran ",), _unittest),
    (("Tests",), _last(r"^\s*Tests:?\s+(?:\d+ \w+(?:, | \| )?)+\s*(?:\(\d+\)|\d+ total).*$")),
    ((" pass", " fail"), _lines),
    (("test result: ",), _sum(r"^test result: .*$")),
    (("Summary [",), _last(r"^\s*Summary \[.*tests? run: .*$")),
    (("DONE ",), _last(r"^DONE \d+ tests?.*$", _of_total("tests?"))),
    (("example",), _last(r"^\d+ examples?, \d+ failures?.*$", _of_total("examples?"))),
    ((" runs, ",), _last(r"^\d+ runs, \d+ assertions, .*$", _of_total("runs"))),
    (
        ("OK (", "Tests: "),
        _last(
            r"^(?:OK \(\d+ tests?.*|Tests: \d+, Assertions: .*)$",
            lambda line: _totals(line) if ":" in line else _of_total("tests?")(line),
        ),
    ),
    (("Passed!", "Failed!"), _sum(r"^(?:Passed!|Failed!)\s+- .*$", _keyed)),
    (
        ("Tests run: ",),
        _last(r"^(?:\[\w+\] )?Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?\s*$", _totals),
    ),
    ((" tests completed",), _last(r"^\d+ tests completed.*$", _of_total("tests"))),
    (("% tests passed",), _last(r"^\d+% tests passed, \d+ tests failed out of \d+", _ctest)),
    (("Executed ",), _last(r"^\s*Executed \d+ tests?, with .*failures?.*$", _of_total("tests?"))),
    ((" failure",), _last(r"^(?:\d+ doctests?, )?\d+ tests?, \d+ failures?.*$", _of_total("tests?"))),
    ((" | ",), _last(r"^(?:ok|FAILED) \| \d+ passed.*$")),
    ((" passed", " failed", " skipped", " flaky", " did not run"), _playwright),
    (("--- ",), _go),
)
_PROBLEMS: tuple[tuple[tuple[str, ...], Finder], ...] = (
    (("warning",), _last(r"^.*\(\d+ errors?, \d+ warnings?\).*$")),
    (("Found ",), _last(r"^Found \d+ errors?\b.*$")),
    (("warning",), _last(r"^\d+ errors?, \d+ warnings?.*$")),
    (
        ("rror(s)", "Fehler"),
        _last(r"^\s*\d+ (?:Error\(s\)|error\(s\)|Fehler)", lambda line: {"errors": int(line.split()[0])}),
    ),
    (
        ("error(s)",),
        _last(
            r"\d+ warning\(s\), \d+ error\(s\)|^\s*\d+ error\(s\)",
            lambda line: {"errors": int(re.findall(r"(\d+) error", line)[-1])},
        ),
    ),
    ((" issue",), _last(r"^\d+ issues?[.:]", lambda line: {"errors": int(line.split()[0])})),
)


def counts(text: str) -> Counts | None:
    """The numbers of the last summary in ``text`` (cleaned), None where it prints none."""
    for words, find in (*_TESTS, *_PROBLEMS):
        found = find(text) if any(word in text for word in words) else None
        if found:
            return Counts(**{name: found.get(name) for name in ("passed", "failed", "skipped", "errors")})
    return None
