"""Reports in JSON: CTRF, and the one of jest and vitest."""

from __future__ import annotations

import json
from typing import Any

_CTRF = {"passed": "passed", "failed": "failed", "skipped": "skipped", "pending": "skipped", "other": "errors"}
_JEST = {
    "numPassedTests": "passed",
    "numFailedTests": "failed",
    "numPendingTests": "skipped",
    "numTodoTests": "skipped",
    "numRuntimeErrorTestSuites": "errors",
}


def read(data: bytes) -> tuple[dict[str, int], dict[str, str]] | None:
    """Numbers and failing tests; None where it is neither format."""
    try:
        value = json.loads(data)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("results"), dict):
        return _ctrf(value["results"])
    return _jest(value) if "numPassedTests" in value else None


def _ctrf(results: dict[str, Any]) -> tuple[dict[str, int], dict[str, str]] | None:
    tests = results.get("tests")
    if not isinstance(tests, list):
        return None
    numbers: dict[str, int] = {}
    failing: dict[str, str] = {}
    for test in tests:
        status = _CTRF.get(str(test.get("status")), "errors") if isinstance(test, dict) else "errors"
        numbers[status] = numbers.get(status, 0) + 1
        if status == "failed":
            failing[str(test.get("name"))] = (str(test.get("message") or "").splitlines() or [""])[0]
    return numbers, failing


def _jest(value: dict[str, Any]) -> tuple[dict[str, int], dict[str, str]]:
    numbers: dict[str, int] = {}
    for key, name in _JEST.items():
        if isinstance(value.get(key), int) and value[key]:
            numbers[name] = numbers.get(name, 0) + value[key]
    failing: dict[str, str] = {}
    for suite in value.get("testResults") or []:
        for case in suite.get("assertionResults") or [] if isinstance(suite, dict) else []:
            if case.get("status") == "failed":
                messages = case.get("failureMessages") or [""]
                failing[str(case.get("fullName"))] = (str(messages[0]).splitlines() or [""])[0]
    return numbers, failing
