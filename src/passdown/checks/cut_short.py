"""Whether a test run was ended midway though its exit code is 0: ``exit(0)`` in what it tests ends the runner too."""

from __future__ import annotations

import re

from passdown.rules import command
from passdown.rules.patterns import lazy

_M = re.MULTILINE
_RUNNERS = (
    (
        "pytest",
        lazy(r"^=+ test session starts =+$", _M),
        lazy(
            r"^.*\b(?:passed|failed|skipped|errors?|xfailed|xpassed|deselected|warnings?|reruns?) in [\d.]+ ?s\b"
            r"|^=* ?no tests (?:ran|collected)|^=* ?\d+(?:/\d+)? tests? collected|^Results \([\d.]+\w*\):"
            r"|\[100%\]\s*\Z",
            _M,
        ),
    ),
    ("Django's tests", lazy(r"^Found \d+ test\(s\)\.$", _M), lazy(r"^Ran \d+ tests? in ", _M)),
    ("cargo's tests", lazy(r"^running \d+ tests?$", _M), lazy(r"^test result: ", _M)),
    ("nextest", lazy(r"^\s*Starting \d+ tests? across ", _M), lazy(r"^\s*Summary \[", _M)),
    (
        "PHPUnit",
        lazy(r"^PHPUnit \d\S* by Sebastian Bergmann", _M),
        lazy(r"^(?:OK\b|Tests: \d|No tests executed|There (?:was|were) \d|Available )", _M),
    ),
    ("GoogleTest", lazy(r"^\[=+\] Running \d+ tests? from", _M), lazy(r"^\[=+\] \d+ tests? from .* ran\.", _M)),
    ("bun test", lazy(r"^bun test v\d", _M), lazy(r"^Ran \d+ tests? across", _M)),
    (
        "Playwright",
        lazy(r"^Running \d+ tests? using \d+ workers?", _M),
        lazy(r"^\s+\d+ (?:passed|failed|flaky|skipped|interrupted|did not run)\b", _M),
    ),
    ("minitest", lazy(r"^# Running:$", _M), lazy(r"^\d+ (?:runs|tests), \d+ assertions, ", _M)),
    ("CTest", lazy(r"^Test project /", _M), lazy(r"^\d+% tests passed|^No tests were found", _M)),
    (
        "Catch2",
        lazy(r"^Randomness seeded to: \d+$", _M),
        lazy(r"^(?:All tests passed|No tests ran|test cases: +\d|All available )", _M),
    ),
)
"""What each prints when it begins and when it has come to its end."""
_UNDER_WAY = lazy(r"(?:\S+\.py )?[.FEsxXR]+(?:\s*\[ *\d+%\])?|\S+\.py(?:::\S.*)?|\S+::.*\[ *\d+%\]")
"""The last line of pytest before its summary."""
_RAN = lazy(r"^Ran \d+ tests? in ", _M)
_JEST_ENDED = lazy(r"^\s*\u25cf\s+process\.exit called with", _M)


_IGNORED = lazy(r"^g?make(?:\[\d+\])?: \[.+\] \S+ \d+ \(\S+\)$", _M)


def ignored_error(text: str) -> str:
    """Whether make says that it went on though a program failed (``-pytest``), in whatever language."""
    return "make ignored an error" if _IGNORED.search(text) else ""


def cut_short(text: str, run: str | list[str]) -> str:
    """Why its output says that it was ended midway; "" where nothing does. ``text``: plain, its end at least."""
    for name, begins, ends in _RUNNERS:
        begun = len(begins.findall(text))
        if begun and (len(ends.findall(text)) < begun if name.startswith("cargo") else _open(text, begins, ends)):
            return f"{name} printed no summary: it was ended midway"
    if _JEST_ENDED.search(text):
        return "what it tests called process.exit: not all of it ran"
    return "" if ">" in command.text(run) else _silent(text.rstrip(), command.tool(run))


def _open(text: str, begins: re.Pattern[str], ends: re.Pattern[str]) -> bool:
    """Whether the last that began did not end."""
    last = [match.end() for match in begins.finditer(text)][-1]
    return ends.search(text, last) is None


def _silent(text: str, tool: str) -> str:
    """Runners that say nothing when they begin and never end without a summary."""
    if tool in {"pytest", "py.test"}:
        last = text.rpartition("\n")[2].strip()
        midway = not text.strip() or (_UNDER_WAY.fullmatch(last) and not last.endswith("[100%]"))
        return "pytest printed no summary: it was ended midway" if midway else ""
    if tool == "unittest" and not _RAN.search(text):
        return "unittest printed no summary: it was ended midway"
    return ""
