"""CTRF: Common Test Report Format, one JSON document."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.document import load
from passdown.checks.reports.summary import Summary, Tally

_STATES = {"passed": "passed", "failed": "failed", "skipped": "skipped", "pending": "skipped", "other": "errors"}


class _Test(Struct):
    name: str = "?"
    status: str = ""
    message: str | None = None
    trace: str | None = None
    flaky: bool | None = None


class _Results(Struct):
    tests: list[_Test]


class _Report(Struct):
    results: _Results


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is no CTRF."""
    report = load(file, _Report)
    if report is None:
        return None
    tally = Tally()
    for test in report.results.tests:
        state = _STATES.get(test.status, "errors")
        tally.count(state, test.name, test.message or test.trace or "")
        if test.flaky and state == "passed":
            tally.tried_again(test.name)
    return tally.summary()
