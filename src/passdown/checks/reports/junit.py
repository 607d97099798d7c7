"""JUnit XML, as pytest, nextest, vitest, gotestsum, surefire and node write it; counted from the cases themselves."""

from __future__ import annotations

from typing import BinaryIO
from xml.etree.ElementTree import Element
from xml.parsers import expat

from junitparser import Error, Failure, Skipped, TestCase

from passdown.checks.reports.summary import Summary, Tally

_RESULTS = {"failure", "error", "skipped"}
_TRIED_AGAIN = {"flakyFailure", "flakyError"}
_ROOTS = {"testsuite", "testsuites"}
_DEEPEST = 64
_TEXT = 2000


class _RefusedError(Exception):
    """No report: another root, a document type, or nested too deep."""


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is no JUnit XML.

    A document type is refused: no report needs one, and entities can be made to explode.
    """
    handler = _Cases()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    try:
        parser.ParseFile(file)
    except (expat.ExpatError, _RefusedError, ValueError, LookupError):  # LookupError: an encoding nobody knows
        return None
    return handler.tally.summary()


def _refuse(*_: object) -> None:
    raise _RefusedError


class _Cases:
    """Keeps one case at a time: memory does not grow with the report."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._depth = 0
        self._case: Element | None = None
        self._inner: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        self._depth += 1
        if self._depth > _DEEPEST or (self._depth == 1 and tag not in _ROOTS):
            raise _RefusedError
        if tag == "testcase":
            self._case, self._inner = Element(tag, attributes), None
        elif self._case is not None and tag in _RESULTS | _TRIED_AGAIN:
            self._inner = Element(tag, attributes)
            self._case.append(self._inner)
        elif tag == "testsuite" and attributes.get("errors", "0").isdigit() and self._case is None:
            self._suite_errors(attributes)

    def _suite_errors(self, attributes: dict[str, str]) -> None:
        """A suite that could not run at all names no case."""
        if attributes.get("tests") == "0" and attributes.get("errors", "0") != "0":
            self.tally.count("errors", attributes.get("name", "?"))

    def text(self, data: str) -> None:
        if self._inner is not None and len(self._inner.text or "") < _TEXT:
            self._inner.text = (self._inner.text or "") + data[:_TEXT]

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        self._depth -= 1
        if tag in _RESULTS | _TRIED_AGAIN:
            self._inner = None
        elif tag == "testcase" and self._case is not None:
            self._count(TestCase.fromelem(self._case), self._case)  # type: ignore[no-untyped-call]  # untyped there
            self._case = None

    def _count(self, case: TestCase, element: Element) -> None:
        name = f"{case.classname}::{case.name or '?'}" if case.classname else case.name or "?"
        results = case.result
        todo = any(isinstance(r, Skipped) and r.type == "todo" for r in results)  # node: it fails, and may
        wrong = next((r for r in results if isinstance(r, Failure | Error)), None) if not todo else None
        if wrong is not None:
            self.tally.count("failed" if case.is_failure else "errors", name, wrong.message or wrong.text or "")
        elif any(isinstance(r, Skipped) for r in results):
            self.tally.count("skipped")
        else:
            self.tally.count("passed")
            if any(child.tag in _TRIED_AGAIN for child in element):
                self.tally.tried_again(name)
