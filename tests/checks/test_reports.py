"""Reports are untrusted text: numbers are counted from the cases, explosions and other formats refused."""

from __future__ import annotations

import json
import time

import pytest

from passdown.checks import reports
from passdown.checks.reports import FORMATS, read, read_output, stamp

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="1" skipped="1" tests="4">
<testcase classname="tests.test_a" name="test_good" time="0.001" />
<testcase classname="tests.test_a" name="test_bad">
<failure message="AssertionError: 3 != 5&#10;more">text</failure></testcase>
<testcase classname="tests.test_a" name="test_skip"><skipped message="x" /></testcase>
<testcase name="broken"><error>first line
second</error></testcase>
</testsuite></testsuites>"""
SUREFIRE = """<testsuite name="A" tests="2">
<testcase classname="a.B" name="c"><flakyFailure message="x">at a</flakyFailure></testcase>
<testcase classname="a.B" name="d"><rerunFailure message="x"/><failure message="y"/></testcase></testsuite>"""
TODO = '<testsuites><testcase name="a"><skipped type="todo"/><failure message="x"/></testcase></testsuites>'
NESTED = """<testsuites><testsuite><testsuite><testcase name="inner"/></testsuite>
<testcase name="both"><failure/><system-out>&lt;failure/></system-out></testcase></testsuite></testsuites>"""
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
    "numTotalTests": 4,
    "numPassedTests": 1,
    "success": False,
    "testResults": [
        {
            "name": "/w/a.test.js",
            "status": "failed",
            "assertionResults": [
                {"status": "failed", "fullName": "a b", "failureMessages": ["Error: x\n at y"]},
                {"status": "passed", "fullName": "a c", "failureMessages": []},
                {"status": "todo", "title": "later", "fullName": ""},
            ],
        },
        {"name": "/w/b.test.js", "status": "failed", "message": "SyntaxError: no", "assertionResults": []},
    ],
}
GO = [
    {"Action": "start", "Package": "ex/a"},
    {"Action": "run", "Package": "ex/a", "Test": "TestA"},
    {"Action": "output", "Package": "ex/a", "Test": "TestA", "Output": "=== RUN   TestA\n"},
    {"Action": "output", "Package": "ex/a", "Test": "TestA", "Output": "    a_test.go:7: got 3\n"},
    {"Action": "fail", "Package": "ex/a", "Test": "TestA", "Elapsed": 0},
    {"Action": "pass", "Package": "ex/a", "Test": "TestB", "Elapsed": 0},
    {"Action": "skip", "Package": "ex/a", "Test": "TestC", "Elapsed": 0},
    {"Action": "fail", "Package": "ex/a", "Elapsed": 0.1},
    {"ImportPath": "ex/b", "Action": "build-output", "Output": "# ex/b\n"},
    {"ImportPath": "ex/b", "Action": "build-fail"},
]
LIBTEST = [
    {"type": "suite", "event": "started", "test_count": 3},
    {"type": "test", "event": "started", "name": "a::b"},
    {"type": "test", "name": "a::b", "event": "ok"},
    {"type": "test", "name": "a::c", "event": "ignored"},
    {
        "type": "test",
        "name": "a::d",
        "event": "failed",
        "stdout": "\nthread 'a::d' panicked at src/a.rs:3:5:\n3 != 5\n",
    },
    {"type": "suite", "event": "failed", "passed": 1, "failed": 1},
]
TAP = """TAP version 14
1..4
ok 1 - reads
not ok 2 - writes
  ---
  message: "no room"
  ...
not ok 3 - later # TODO one day
ok 4 - else # SKIP no net
"""
NODE = """TAP version 13
# Subtest: group
    # Subtest: inner
    ok 1 - inner
      ---
      duration_ms: 0.5
      ...
    # Subtest: bad
    not ok 2 - bad
      ---
      error: |-
        Expected values to be strictly equal:
      ...
    1..2
not ok 1 - group
  ---
  error: '1 subtest failed'
  ...
1..1
# tests 2
"""
SARIF = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "x"}},
            "results": [
                {
                    "ruleId": "S1",
                    "level": "error",
                    "message": {"text": "unused\nmore"},
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"uri": "src/a.py"}, "region": {"startLine": 3}}}
                    ],
                },
                {"ruleId": "S2", "message": {"text": "x"}},
                {"ruleId": "S3", "level": "error", "kind": "pass", "message": {}},
                {"ruleId": "S4", "level": "error", "suppressions": [{"kind": "inSource"}]},
                {"ruleId": "S5", "level": "error", "baselineState": "absent"},
            ],
        }
    ],
}
CONSOLE = "tests/test_a.py .F\n\nFAILED tests/test_a.py::test_b - assert 3 == 5\n1 failed, 1 passed in 0.03s\n"


def lines(events):
    return "\n".join(["some other line", *map(json.dumps, events)])


@pytest.mark.parametrize(
    ("text", "tests", "failing"),
    [
        (
            PYTEST,
            {"passed": 1, "failed": 1, "skipped": 1, "errors": 1},
            {"tests.test_a::test_bad": "AssertionError: 3 != 5", "broken": "first line"},
        ),
        ('<testsuite tests="9"/>', {}, {}),
        (NESTED, {"passed": 1, "failed": 1}, {"both": ""}),
        ('<testsuite tests="0" errors="1" name="setup"/>', {"errors": 1}, {"setup": ""}),
        (json.dumps(CTRF), {"passed": 1, "failed": 1, "skipped": 1, "errors": 1}, {"b": "no", "d": ""}),
        (
            json.dumps(JEST),
            {"passed": 1, "failed": 1, "skipped": 1, "errors": 1},
            {"a b": "Error: x", "/w/b.test.js": "SyntaxError: no"},
        ),
        (
            lines(GO),
            {"passed": 1, "failed": 1, "skipped": 1, "errors": 1},
            {"TestA": "a_test.go:7: got 3", "ex/b": "# ex/b"},
        ),
        (lines(LIBTEST), {"passed": 1, "failed": 1, "skipped": 1}, {"a::d": "3 != 5"}),
        (TAP, {"passed": 1, "failed": 1, "skipped": 2}, {"writes": "no room"}),
        (NODE, {"passed": 1, "failed": 1}, {"bad": "Expected values to be strictly equal:"}),
        (TODO, {"skipped": 1}, {}),
        (CONSOLE, {"passed": 1, "failed": 1}, {"tests/test_a.py::test_b": "assert 3 == 5"}),
    ],
    ids=[
        "junit",
        "no cases",
        "nested",
        "suite error",
        "ctrf",
        "jest",
        "go",
        "libtest",
        "tap",
        "node",
        "todo",
        "console",
    ],
)
def test_reports(tmp_path, text, tests, failing):
    path = tmp_path / "report"
    path.write_text(text)
    summary = read(path)
    assert (summary.tests, summary.failing) == (tests, failing)


def test_a_message_keeps_its_own_quotes(tmp_path):
    path = tmp_path / "report"
    path.write_text(TAP.replace('"no room"', "\"'a' == 'b'\""))
    assert read(path).failing == {"writes": "'a' == 'b'"}


def test_findings(tmp_path):
    path = tmp_path / "report"
    path.write_text(json.dumps(SARIF))
    summary = read(path)
    assert (summary.findings, summary.failing, summary.tests) == (
        {"error": 1, "warning": 1},
        {"S1 src/a.py:3": "unused"},
        {},
    )
    path.write_text(json.dumps({"version": "2.1.0", "runs": [{"invocations": [{"executionSuccessful": False}]}]}))
    assert read(path).broken


@pytest.mark.parametrize(
    ("text", "flaky"),
    [
        (SUREFIRE, ["a.B::c"]),
        (json.dumps({"results": {"tests": [{"name": "a", "status": "passed", "flaky": True}]}}), ["a"]),
        ("3 passed, 1 rerun in 0.5s\n", ["1 rerun"]),
        ("[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n", ["Flakes: 1"]),
        ("  2 passed (3s)\n  1 flaky\n", ["1 flaky"]),
        (CONSOLE, []),
    ],
    ids=["surefire", "ctrf", "pytest", "maven", "playwright", "none"],
)
def test_what_passed_only_when_tried_again(tmp_path, text, flaky):
    path = tmp_path / "report"
    path.write_text(text)
    assert list(read(path).flaky) == flaky


@pytest.mark.parametrize(
    "text",
    [
        TAP.replace("1..4", "1..5"),
        TAP.replace("1..4\n", ""),
        TAP + "Bail out! no database\n",
        lines(GO[:5]),
        lines(LIBTEST[:3]),
        json.dumps({**JEST, "testResults": []}),
    ],
    ids=["plan", "no plan", "bail out", "go cut", "libtest cut", "jest unsuccessful"],
)
def test_a_report_that_says_itself_that_it_is_not_whole(tmp_path, text):
    path = tmp_path / "report"
    path.write_text(text)
    assert read(path).broken


BOMB = '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]><testsuite><testcase name="&y;"/></testsuite>'
LAUGHS = "".join(f'<!ENTITY l{n} "{"".join([f"&l{n - 1};"] * 10)}">' for n in range(1, 10))
BILLION = f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><testsuite><testcase name="&l9;"/></testsuite>'
FILE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="a">&x;</testcase></testsuite>'
DEEP = "<testsuite>" * 5000 + "</testsuite>" * 5000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fine",
        "<html/>",
        "<testsuite>",
        BOMB,
        BILLION,
        FILE,
        DEEP,
        "[]",
        "{}",
        '{"results": 3}',
        "x" * 100,
        "[" * 200_000,
        '{"results":' * 50_000,
        '{"results": {"tests": "' + "x" * 1000 + '"}}',
        "\0" * 1000,
        '{"runs": []}',
        '<?xml version="1.0" encoding="nobody-knows"?><testsuite/>',
    ],
    ids=range(18),
)
def test_what_is_no_report(tmp_path, text):
    path = tmp_path / "report"
    for encoding in ("utf-8", "utf-16"):
        path.write_text(text, encoding)
        begun = time.process_time()
        assert read(path) is None
        for name in FORMATS:
            assert read(path, name) is None, name
        assert time.process_time() - begun < 60


def test_an_entity_bomb_in_another_encoding(tmp_path):
    path = tmp_path / "report"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        path.write_text(f'<?xml version="1.0" encoding="{encoding}"?>{BOMB}', encoding)
        assert read(path) is None


def test_too_large(tmp_path, monkeypatch):
    path = tmp_path / "report"
    with path.open("wb") as file:
        file.truncate(1 << 30)  # 1 GB that takes no room
    assert read(path) is None
    monkeypatch.setattr(reports, "MAX_BYTES", 10)
    path.write_text(PYTEST)
    assert read(path) is None


def test_a_hundred_thousand_failures_stay_small(tmp_path):
    path = tmp_path / "report"
    case = '<testcase classname="c" name="n{}"><failure message="{}">{}</failure></testcase>'
    cases = "".join(case.format(n, "m" * 40, "t" * 40) for n in range(100_000))
    path.write_text(f"<testsuite>{cases}</testsuite>")
    summary = read(path)
    assert summary.tests == {"failed": 100_000}
    assert len(summary.failing) == 200


@pytest.mark.parametrize(
    ("named", "text", "is_read"),
    [
        ("junit", PYTEST, True),
        ("junit", json.dumps(CTRF), False),
        ("ctrf", json.dumps(CTRF), True),
        ("ctrf", json.dumps(JEST), False),
        ("jest", json.dumps(JEST), True),
        ("vitest", json.dumps(JEST), True),
        ("sarif", json.dumps(SARIF), True),
        ("sarif", json.dumps(CTRF), False),
        ("go", lines(GO), True),
        ("go", TAP, False),
        ("cargo", lines(LIBTEST), True),
        ("nextest", PYTEST, True),
        ("tap", TAP, True),
        ("node", NODE, True),
        ("node", PYTEST, True),
        ("tap", PYTEST, False),
        ("pytest", CONSOLE, True),
        ("pytest", PYTEST, True),
        ("pytest", json.dumps(CTRF), False),
    ],
)
def test_a_named_format_is_the_only_one(tmp_path, named, text, is_read):
    path = tmp_path / "report"
    path.write_text(text)
    assert (read(path, named) is not None) == is_read


@pytest.mark.parametrize(
    ("text", "tests"),
    [
        ("\n".join(map(json.dumps, GO)), {"passed": 1, "failed": 1, "skipped": 1, "errors": 1}),
        (TAP, {"passed": 1, "failed": 1, "skipped": 2}),
        (json.dumps(JEST), {"passed": 1, "failed": 1, "skipped": 1, "errors": 1}),
    ],
    ids=["go", "tap", "jest"],
)
def test_an_output_for_machines_is_read_as_one(text, tests):
    assert read_output(text).tests == tests
    assert read_output("plain\n" * 10) is None


def test_a_rewritten_report_carries_another_stamp(tmp_path):
    path = tmp_path / "report"
    assert stamp(path) is None
    path.write_text("a")
    before = stamp(path)
    assert stamp(path) == before
    path.unlink()
    path.write_text("a")
    assert stamp(path) != before
