"""What a check's output and report say of its tests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from passdown.agents.facts.output.counts import counts
from passdown.agents.facts.output.errors import first_error
from passdown.agents.facts.output.failing import failing
from passdown.checks import reports
from passdown.model.evidence import CheckDefinition
from passdown.rules.patterns import lazy
from passdown.rules.result import Report

_NOTHING = lazy(
    r"^(?:no tests ran|\d+(?:/\d+)? tests? collected|(?:Ran|running) 0 tests?\b|No tests? found\b"
    r"|\?\s+\S+\s+\[no test files\]|testing: warning: no tests to run|=* ?no tests (?:ran|collected))",
    re.IGNORECASE | re.MULTILINE,
)
_SOME = lazy(r"^(?:(?:Ran|running) [1-9]\d* tests?\b|ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*\[no tests))", re.MULTILINE)


class Reading(Struct, frozen=True):
    """``tests``: numbers; ``failing``: id -> first error line; ``error``: the line that says what went wrong."""

    tests: Mapping[str, int] = field(default_factory=dict)
    failing: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None
    nothing_ran: bool = False


def read_output(text: str, definition: CheckDefinition) -> Reading:
    """Of the output's end (plain text); numbers are a test run's alone."""
    if definition.kind != "test":
        return Reading(error=first_error(text) or None)
    found = counts(text)
    values = {} if found is None else {n: getattr(found, n) for n in ("passed", "failed", "skipped", "errors")}
    numbers = {name: value for name, value in values.items() if value is not None}
    nothing = not numbers.get("passed") and _NOTHING.search(text) is not None and _SOME.search(text) is None
    return Reading(numbers, failing(text), first_error(text) or None, nothing)


def read_report(path: Path, before: reports.Stamp | None) -> tuple[Report, Mapping[str, str]]:
    """The declared report and its failing tests; one that the run did not write is no report of it."""
    now = reports.stamp(path)
    if now is None or not path.is_file():
        return Report("missing"), {}
    if now == before:
        return Report("older"), {}
    summary = reports.read(path)
    if summary is None:
        return Report("unreadable"), {}
    return Report("read", summary.tests), summary.failing
