"""JUnit XML, as pytest, nextest, vitest, gotestsum, surefire and node write it; counted from the cases themselves."""

from __future__ import annotations

import io
from typing import BinaryIO
from xml.etree.ElementTree import Element
from xml.parsers import expat

from junitparser import Error, Failure, Skipped, TestCase

from passdown.checks.reports.guarded_xml import RefusedError, parse
from passdown.checks.reports.summary import Summary, Tally
from passdown.rules.patterns import lazy

_RESULTS = {"failure", "error", "skipped"}
_TRIED_AGAIN = {"flakyFailure", "flakyError"}
_ROOTS = {"testsuite", "testsuites"}
_LEFT_OUT = {"disabled", "notrun", "suppressed", "skipped", "ignored", "pending"}
_FAILED = {"failed", "fail", "failure", "error", "broken"}
"""What a case says in words where it holds no element for it."""
_READ_OVER = {4, 17, 19}
"""Invalid token; bytes that are not of the encoding; something before the declaration."""
_NOT_XML = lazy(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2\d|3[01]));"
)
_DECLARATION = lazy(r"\A<\?xml[^>]*\?>")
_DEEPEST = 64
_TEXT = 2000


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests; None where it is no JUnit XML.

    A document type is refused: no report needs one, and entities can be made to explode. Bytes that its encoding does
    not know and control characters, as tests print them, are read over.
    """
    handler = _Cases()
    try:
        parse(handler, file)
    except expat.ExpatError as error:
        if error.code not in _READ_OVER:
            return None
        file.seek(0)
        handler = _Cases()
        try:
            parse(handler, io.BytesIO(_tidied(file.read())))
        except (expat.ExpatError, RefusedError, ValueError):
            return None
    except (RefusedError, ValueError, LookupError):  # LookupError: an encoding nobody knows
        return None
    return handler.end_of_all()


def _tidied(data: bytes) -> bytes:
    """As UTF-8 without what XML does not allow; the declaration, which would say another encoding, is dropped."""
    text = _NOT_XML.sub("", data.decode("utf-8", "replace")).lstrip("\ufeff \t\r\n")
    return _DECLARATION.sub("", text).encode("utf-8", "replace")


class _Cases:
    """Keeps one case at a time: memory does not grow with the report.

    ``counted``: failures that a suite counts; ``excused``: those of them that are to-dos.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.counted = 0
        self.excused = 0
        self._depth = 0
        self._suites: list[str] = []
        self._case: Element | None = None
        self._inner: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        self._depth += 1
        if self._depth > _DEEPEST or (self._depth == 1 and tag not in _ROOTS):
            raise RefusedError
        if tag == "testcase":
            self._case, self._inner = Element(tag, attributes), None
        elif self._case is not None and tag in _RESULTS | _TRIED_AGAIN:
            self._inner = Element(tag, attributes)
            self._case.append(self._inner)
        elif self._case is None and tag in {"failure", "error"} and self._suites:
            self.tally.count("errors", self._suites[-1], attributes.get("message", ""))
        elif tag in _ROOTS and self._case is None:
            self._suites.append(attributes.get("name", "?"))
            self._suite(attributes)

    def _suite(self, attributes: dict[str, str]) -> None:
        """A suite that could not run at all names no case."""
        numbers = {name: int(text) for name in ("failures", "errors") if (text := attributes.get(name, "")).isdecimal()}
        self.counted = max(self.counted, sum(numbers.values()))
        if attributes.get("tests") == "0" and numbers.get("errors"):
            self.tally.count("errors", attributes.get("name", "?"))

    def end_of_all(self) -> Summary:
        """All of it; failures that are counted and stand nowhere make it broken."""
        if self.counted > self.excused and not (self.tally.tests.get("failed") or self.tally.tests.get("errors")):
            self.tally.broken = f"its report counts {self.counted} failures and lists none"
        return self.tally.summary()

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
        elif tag in _ROOTS and self._case is None:
            self._suites.pop()

    def _count(self, case: TestCase, element: Element) -> None:
        own, group = (case.name or "").strip(), (case.classname or "").strip()
        name = f"{group}::{own}" if group and own and group != own else own or group or "?"
        results = case.result
        todo = any(isinstance(r, Skipped) and r.type == "todo" for r in results)  # node: it fails, and may
        wrong = next((r for r in results if isinstance(r, Failure | Error)), None)
        if todo and wrong is not None:
            wrong, self.excused = None, self.excused + 1
        said = {element.get(key, "").lower() for key in ("status", "result")}
        if wrong is not None:
            self.tally.count("failed" if case.is_failure else "errors", name, wrong.message or wrong.text or "")
        elif any(isinstance(r, Skipped) for r in results) or said & _LEFT_OUT:
            self.tally.count("skipped")
        elif said & _FAILED:
            self.tally.count("failed", name)
        else:
            self.tally.count("passed")
            if any(child.tag in _TRIED_AGAIN for child in element):
                self.tally.tried_again(name)
