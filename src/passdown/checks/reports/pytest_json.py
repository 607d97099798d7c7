"""What plugins of pytest write as JSON: a document (pytest-json-report), or a line a phase (pytest-reportlog)."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct, field

from passdown.checks.reports.document import lines, load
from passdown.checks.reports.summary import Summary, Tally

_STATES = {
    "passed": "passed",
    "failed": "failed",
    "error": "errors",
    "skipped": "skipped",
    "xfailed": "skipped",
    "xpassed": "passed",
    "rerun": "",
}


class _Test(Struct):
    nodeid: str
    outcome: str


class _Report(Struct):
    exitcode: int
    tests: list[_Test]


class _Line(Struct):
    kind: str = field(name="$report_type")
    nodeid: str = ""
    when: str = ""
    outcome: str = ""


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is neither."""
    report = load(file, _Report)
    if report is not None:
        tally = Tally()
        for test in report.tests:
            tally.count(_STATES.get(test.outcome, "errors"), test.nodeid)
        return tally.summary()
    file.seek(0)
    return _log(file)


def _log(file: BinaryIO) -> Summary | None:
    """A test's call counts; its set-up or tear-down only where that went wrong."""
    tally = Tally()
    begun = ended = False
    for line in lines(file, _Line):
        begun = begun or line.kind == "SessionStart"
        ended = ended or line.kind == "SessionFinish"
        if line.kind == "TestReport" and line.outcome == "rerun":
            tally.tried_again(line.nodeid)
        elif line.kind == "TestReport" and (line.when == "call" or line.outcome != "passed"):
            failed = "failed" if line.when == "call" else "errors"
            tally.count(failed if line.outcome == "failed" else line.outcome, line.nodeid)
        elif line.kind == "CollectReport" and line.outcome == "failed":
            tally.count("errors", line.nodeid)
    if begun and not ended:
        tally.broken = "its report ends in the middle of the run"
    return tally.summary() if begun or tally.tests else None
