"""The JSON of jest and vitest (``--json``, ``--reporter=json``)."""

from __future__ import annotations

import re
from typing import BinaryIO

from msgspec import Struct, field

from passdown.checks.reports.document import load
from passdown.checks.reports.summary import Summary, Tally
from passdown.rules.patterns import lazy

_STATES = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "pending": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
}

_HEADING = lazy(r"^\s*\u25cf .*$", re.MULTILINE)


class _Case(Struct, rename="camel"):
    status: str = ""
    full_name: str = ""
    title: str = "?"
    failure_messages: list[str] | None = None
    invocations: int | None = None


class _File(Struct, rename="camel"):
    name: str = "?"
    status: str = ""
    message: str | None = None
    assertion_results: list[_Case] = field(default_factory=list)


class _Report(Struct, rename="camel"):
    test_results: list[_File]
    num_passed_tests: int
    success: bool = True
    was_interrupted: bool = False


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is another document."""
    report = load(file, _Report)
    if report is None:
        return None
    tally = Tally()
    for each in report.test_results:
        for case in each.assertion_results:
            _count(tally, case)
        if each.status == "failed" and not any(case.status == "failed" for case in each.assertion_results):
            tally.count("errors", each.name, _HEADING.sub("", each.message or ""))
    if not report.success and not (tally.tests.get("failed") or tally.tests.get("errors")):
        tally.broken = "its report says that the run did not succeed"
    if report.was_interrupted:
        tally.broken = "its report says that the run was interrupted"
    return tally.summary()


def _count(tally: Tally, case: _Case) -> None:
    name = case.full_name.strip() or case.title
    messages = case.failure_messages or []
    state = _STATES.get(case.status, "errors")
    tally.count(state, name, messages[0] if messages else "")
    if state == "passed" and (messages or (case.invocations or 1) > 1):
        tally.tried_again(name)
