"""The JSON of RSpec (``--format json``)."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.document import load
from passdown.checks.reports.summary import Summary, Tally

_STATES = {"passed": "passed", "failed": "failed", "pending": "skipped"}


class _Exception(Struct):
    message: str | None = None


class _Example(Struct):
    status: str
    id: str = ""
    full_description: str = "?"
    exception: _Exception | None = None


class _Numbers(Struct):
    example_count: int
    errors_outside_of_examples_count: int = 0


class _Report(Struct):
    examples: list[_Example]
    summary: _Numbers
    messages: list[str] | None = None


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing examples by the id that the runner takes, what could not be loaded as errors."""
    report = load(file, _Report)
    if report is None:
        return None
    tally = Tally()
    for one in report.examples:
        error = one.exception.message if one.exception else None
        tally.count(_STATES.get(one.status, "errors"), one.id or one.full_description, error or "")
    said = next(iter(report.messages or []), "")
    for _ in range(min(report.summary.errors_outside_of_examples_count, 1000)):
        tally.count("errors", "outside of examples", said)
    return tally.summary()
