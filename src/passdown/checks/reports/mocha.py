"""The JSON of mocha (``--reporter json``)."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.document import load
from passdown.checks.reports.summary import Summary, Tally


class _Error(Struct):
    message: str | None = None
    stack: str | None = None


class _Test(Struct, rename="camel"):
    title: str = "?"
    full_title: str = ""
    err: _Error | None = None
    current_retry: int | None = None


class _Report(Struct):
    stats: dict[str, object]
    passes: list[_Test]
    failures: list[_Test]
    pending: list[_Test]


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is another document."""
    report = load(file, _Report)
    if report is None:
        return None
    tally = Tally()
    for test in report.passes:
        tally.count("passed")
        if test.current_retry:
            tally.tried_again(test.full_title or test.title)
    for test in report.failures:
        error = test.err or _Error()
        tally.count("failed", test.full_title or test.title, error.message or error.stack or "")
    for _ in report.pending:
        tally.count("skipped")
    return tally.summary()
