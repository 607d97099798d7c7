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
    retries: int | None = None


class _Numbers(Struct):
    failed: int = 0


class _Results(Struct):
    tests: list[_Test]
    summary: _Numbers | None = None


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
        again = test.flaky if test.flaky is not None else bool(test.retries)
        if again and state == "passed":
            tally.tried_again(test.name)
    counted = report.results.summary.failed if report.results.summary else 0
    if counted and not (tally.tests.get("failed") or tally.tests.get("errors")):
        tally.broken = f"its report counts {counted} failures and lists none"
    return tally.summary()
