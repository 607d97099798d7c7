"""Reports are untrusted text: numbers are counted from the cases, explosions and other formats refused."""

from __future__ import annotations

import json

import pytest

from passdown.checks import reports
from passdown.checks.reports import read, stamp

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="4">
<testcase classname="tests.test_a" name="test_good" time="0.001" />
<testcase classname="tests.test_a" name="test_bad">
<failure message="AssertionError: 3 != 5&#10;more">text</failure></testcase>
<testcase classname="tests.test_a" name="test_skip"><skipped message="x" /></testcase>
<testcase name="broken"><error>first line
second</error></testcase>
</testsuite></testsuites>"""
BOMB = '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]><testsuite><testcase name="&y;"/></testsuite>'
CTRF = {
    "results": {
        "tool": {"name": "x"},
        "tests": [
            {"name": "a", "status": "passed"},
            {"name": "b", "status": "failed", "message": "no\nmore"},
            {"name": "c", "status": "pending"},
            {"name": "d", "status": "unheard of"},
        ],
    }
}
JEST = {
    "numPassedTests": 2,
    "numFailedTests": 1,
    "numPendingTests": 1,
    "numTodoTests": 1,
    "numRuntimeErrorTestSuites": 0,
    "testResults": [
        {"assertionResults": [{"status": "failed", "fullName": "a b", "failureMessages": ["Error: x\n at y"]}]}
    ],
}


@pytest.mark.parametrize(
    ("text", "tests", "failing"),
    [
        (
            PYTEST,
            {"passed": 1, "failed": 1, "skipped": 1, "errors": 1},
            {"tests.test_a::test_bad": "AssertionError: 3 != 5", "broken": "first line"},
        ),
        ('<testsuite tests="9"/>', {}, {}),
        (json.dumps(CTRF), {"passed": 1, "failed": 1, "skipped": 1, "errors": 1}, {"b": "no"}),
        (json.dumps(JEST), {"passed": 2, "failed": 1, "skipped": 2}, {"a b": "Error: x"}),
    ],
    ids=["junit", "no cases", "ctrf", "jest"],
)
def test_reports(tmp_path, text, tests, failing):
    path = tmp_path / "report"
    path.write_text(text)
    summary = read(path)
    assert (summary.tests, summary.failing) == (tests, failing)


@pytest.mark.parametrize("text", ["", "fine", "<html/>", "<testsuite>", BOMB, "[]", "{}", '{"results": 3}', "x" * 100])
def test_what_is_no_report(tmp_path, text):
    path = tmp_path / "report"
    path.write_text(text)
    assert read(path) is None


def test_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(reports, "MAX_BYTES", 10)
    path = tmp_path / "report"
    path.write_text(PYTEST)
    assert read(path) is None


def test_a_rewritten_report_carries_another_stamp(tmp_path):
    path = tmp_path / "report"
    assert stamp(path) is None
    path.write_text("a")
    before = stamp(path)
    assert stamp(path) == before
    path.unlink()
    path.write_text("a")
    assert stamp(path) != before
