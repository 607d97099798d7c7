"""The XML of .NET's runners: TRX, xUnit.net, NUnit 3."""

from __future__ import annotations

from typing import BinaryIO
from xml.parsers import expat

from msgspec import Struct

from passdown.checks.reports.guarded_xml import RefusedError, parse
from passdown.checks.reports.summary import Summary, Tally


class _Dialect(Struct, frozen=True):
    """The element of one test and its attributes for name and outcome; ``message``: the element of the first error."""

    test: str
    name: str
    outcome: str
    message: str


_DIALECTS = {
    "TestRun": _Dialect("UnitTestResult", "testName", "outcome", "Message"),
    "assemblies": _Dialect("test", "name", "result", "message"),
    "assembly": _Dialect("test", "name", "result", "message"),
    "test-run": _Dialect("test-case", "fullname", "result", "message"),
}
_STATES = {
    "Passed": "passed", "Pass": "passed", "PassedButRunAborted": "passed", "Warning": "passed", "Completed": "passed",
    "Failed": "failed", "Fail": "failed", "Timeout": "failed", "Aborted": "errors", "Error": "errors",
    "NotExecuted": "skipped", "Skip": "skipped", "Skipped": "skipped", "Ignored": "skipped", "Inconclusive": "skipped",
    "NotRun": "skipped", "Pending": "skipped", "NotRunnable": "errors", "Disconnected": "errors",
}  # fmt: skip
_TEXT, _DEEPEST = 2000, 64


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is none of these."""
    handler = _Tests()
    try:
        parse(handler, file)
    except (expat.ExpatError, RefusedError, ValueError, LookupError):
        return None
    return handler.tally.summary()


class _Tests:
    """One test at a time."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._dialect: _Dialect | None = None
        self._depth = 0
        self._test: tuple[str, str] | None = None
        self._message: str | None = None
        self._reading = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._dialect is None:
            self._dialect = _DIALECTS.get(tag)
        if self._dialect is None or self._depth > _DEEPEST:
            raise RefusedError
        if tag == self._dialect.test:
            self._test = attributes.get(self._dialect.name, "?"), attributes.get(self._dialect.outcome, "")
            self._message = None
        elif tag == self._dialect.message and self._test is not None and self._message is None:
            self._message, self._reading = "", True

    def text(self, data: str) -> None:
        if self._reading and self._message is not None and len(self._message) < _TEXT:
            self._message += data[:_TEXT]

    def end(self, tag: str) -> None:
        self._depth -= 1
        if self._dialect is None:
            return
        if tag == self._dialect.message:
            self._reading = False
        elif tag == self._dialect.test and self._test is not None:
            name, outcome = self._test
            self.tally.count(_STATES.get(outcome, "errors"), name, self._message or "")
            self._test = None
