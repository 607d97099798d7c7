"""JUnit XML, as pytest, nextest, vitest, gotestsum and surefire write it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

_STATES = {"failure": "failed", "error": "errors", "skipped": "skipped"}


def read(data: bytes) -> tuple[dict[str, int], dict[str, str]] | None:
    """Numbers and failing tests, counted from the cases themselves; None where it is no JUnit XML.

    A document type is refused: no report needs one, and entities can be made to explode.
    """
    if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
        return None
    try:
        root = ET.fromstring(data)  # noqa: S314 - no document type, size limited by the caller
    except ET.ParseError:
        return None
    if root.tag not in {"testsuite", "testsuites"}:
        return None
    tests = dict.fromkeys(("passed", "failed", "skipped", "errors"), 0)
    failing: dict[str, str] = {}
    for case in root.iter("testcase"):
        problem = next((child for child in case if child.tag in _STATES), None)
        state = "passed" if problem is None else _STATES[problem.tag]
        tests[state] += 1
        if problem is not None and state != "skipped":
            failing[_name(case)] = ((problem.get("message") or problem.text or "").strip().splitlines() or [""])[0]
    return (tests if sum(tests.values()) else {}), failing


def _name(case: ET.Element) -> str:
    folder, name = case.get("classname"), case.get("name") or "?"
    return f"{folder}::{name}" if folder else name
