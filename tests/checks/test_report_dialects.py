# ruff: noqa: E501 - a report reads best as it was written
"""Reports as many programs write them: numbers, failing ids, what was tried again, what says that it is not whole."""

from __future__ import annotations

import json

import pytest

from passdown.checks.reports import read, read_output

P, F, S, E = "passed", "failed", "skipped", "errors"
D = {}


def d(name, text, tests, failing=(), **k):
    D[name] = (
        text if isinstance(text, (str, bytes)) else json.dumps(text),
        tests,
        (failing if failing is None or isinstance(failing, dict) else list(failing)),
        k,
    )


X = '<?xml version="1.0" encoding="UTF-8"?>\n'
d(
    "gradle",
    X
    + """<testsuite name="com.ex.CalcTest" tests="3" skipped="1" failures="1" errors="0" timestamp="2024-05-01T10:00:00" hostname="h" time="0.05">
  <properties/>
  <testcase name="adds()" classname="com.ex.CalcTest" time="0.02"/>
  <testcase name="divides()" classname="com.ex.CalcTest" time="0.01">
    <failure message="org.opentest4j.AssertionFailedError: expected: &lt;2&gt; but was: &lt;3&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected: &lt;2&gt; but was: &lt;3&gt;
	at com.ex.CalcTest.divides(CalcTest.java:12)</failure>
  </testcase>
  <testcase name="later()" classname="com.ex.CalcTest" time="0.0"><skipped/></testcase>
  <system-out><![CDATA[hello]]></system-out><system-err><![CDATA[]]></system-err>
</testsuite>""",
    {P: 1, F: 1, S: 1},
    ["com.ex.CalcTest::divides()"],
)
d(
    "surefire with reruns",
    X
    + """<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report.xsd" version="3.0.2" name="a.B" time="1" tests="3" errors="0" skipped="0" failures="1" flakes="1">
<properties><property name="x" value="y"/></properties>
<testcase name="flaky" classname="a.B" time="0.1"><flakyFailure message="boom" type="java.lang.AssertionError"><stackTrace><![CDATA[java.lang.AssertionError: boom]]></stackTrace><system-out><![CDATA[x]]></system-out></flakyFailure></testcase>
<testcase name="bad" classname="a.B" time="0.1"><failure message="no" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError: no]]></failure><rerunFailure message="no" type="java.lang.AssertionError"><stackTrace><![CDATA[x]]></stackTrace></rerunFailure></testcase>
<testcase name="ok" classname="a.B" time="0.1"/></testsuite>""",
    {P: 2, F: 1},
    ["a.B::bad"],
    flaky=["a.B::flaky"],
)
d(
    "surefire rerunError",
    X
    + """<testsuite name="a.B" tests="1" errors="1"><testcase name="bad" classname="a.B"><error message="no" type="E"><![CDATA[E: no]]></error><rerunError message="no" type="E"/></testcase></testsuite>""",
    {E: 1},
    ["a.B::bad"],
)
d(
    "surefire that names no test",
    X
    + """<testsuite name="a.B" tests="1" errors="1"><testcase name="" classname="a.B"><error message="init" type="E"/></testcase></testsuite>""",
    {E: 1},
    ["a.B"],
)
d(
    "jest-junit",
    X
    + """<testsuites name="jest tests" tests="2" failures="1" errors="0" time="0.6"><testsuite name="sum" errors="0" failures="1" skipped="0" timestamp="2024" time="0.4" tests="2">
<testcase classname="sum adds" name="sum adds" time="0.001"></testcase><testcase classname="sum bad" name="sum bad" time="0.002"><failure>Error: expect(received).toBe(expected)
    at Object.toBe (a.test.js:3:5)</failure></testcase></testsuite></testsuites>""",
    {P: 1, F: 1},
    ["sum bad"],
)
d(
    "jest-junit, a suite that failed to run",
    X
    + """<testsuites name="jest tests" tests="1" failures="0" errors="1"><testsuite name="undefined" errors="1" failures="0" skipped="0" tests="1"><testcase classname="Test suite failed to run" name="/w/b.test.js" time="0"><error>SyntaxError: no</error></testcase></testsuite></testsuites>""",
    {E: 1},
    ["Test suite failed to run::/w/b.test.js"],
)
d(
    "mocha xunit",
    '<testsuite name="Mocha Tests" tests="3" failures="0" errors="1" skipped="1" timestamp="x" time="0.01">\n<testcase classname="a" name="ok" time="0"/>\n<testcase classname="a" name="bad" time="0"><failure>1 == 2\nAssertionError: 1 == 2</failure></testcase>\n<testcase classname="a" name="later" time="0"><skipped/></testcase>\n</testsuite>',
    {P: 1, F: 1, S: 1},
    ["a::bad"],
)
d(
    "phpunit nested",
    X
    + """<testsuites><testsuite name="Unit" tests="3" assertions="3" errors="1" failures="1" skipped="0" time="0.1"><testsuite name="Tests\\CalcTest" file="/w/tests/CalcTest.php" tests="3"><testcase name="testA" file="/w/tests/CalcTest.php" line="9" class="Tests\\CalcTest" classname="Tests.CalcTest" assertions="1" time="0.1"/>
<testcase name="testB" class="Tests\\CalcTest" classname="Tests.CalcTest"><failure type="PHPUnit\\Framework\\ExpectationFailedException">Tests\\CalcTest::testB
Failed asserting that 1 matches expected 2.</failure></testcase>
<testsuite name="Tests\\CalcTest::testC" tests="1"><testcase name="testC with data set #0" classname="Tests.CalcTest"><error type="Error">Tests\\CalcTest::testC
Error: x</error></testcase></testsuite></testsuite></testsuite></testsuites>""",
    {P: 1, F: 1, E: 1},
    ["Tests.CalcTest::testB", "Tests.CalcTest::testC with data set #0"],
)
d(
    "ctest",
    X
    + """<testsuite name="Linux-c++" tests="4" failures="1" disabled="1" skipped="1" hostname="" time="0" timestamp="x">
<testcase name="ok" classname="ok" time="0.01" status="run"><properties/><system-out>x</system-out></testcase>
<testcase name="bad" classname="bad" time="0.01" status="fail"><failure message="Failed"/><system-out>y</system-out></testcase>
<testcase name="off" classname="off" time="0" status="disabled"><system-out/></testcase>
<testcase name="none" classname="none" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>""",
    {P: 1, F: 1, S: 2},
    ["bad"],
)
d(
    "nextest",
    X
    + """<testsuites name="nextest-run" tests="3" failures="1" errors="0" uuid="u" timestamp="x" time="0.1"><testsuite name="mycrate" tests="3" disabled="0" errors="0" failures="1">
<testcase name="tests::ok" classname="mycrate" timestamp="x" time="0.01"/><testcase name="tests::bad" classname="mycrate"><failure message="thread 'tests::bad' panicked at src/lib.rs:9:9" type="test failure with exit code 101">thread panicked
boom</failure><rerunFailure type="x"/></testcase><testcase name="tests::flaky" classname="mycrate"><flakyFailure timestamp="x" time="0.1" message="m" type="test failure"/></testcase></testsuite></testsuites>""",
    {P: 2, F: 1},
    ["mycrate::tests::bad"],
    flaky=["mycrate::tests::flaky"],
)
d(
    "bazel of a test without xml",
    X
    + """<testsuites><testsuite name="pkg/a_test" tests="1" failures="0" errors="1"><testcase name="pkg/a_test" status="run" duration="1" time="1"><error message="exited with error code 1"></error></testcase><system-out>Generated test.log</system-out></testsuite></testsuites>""",
    {E: 1},
    ["pkg/a_test"],
)
d(
    "gotestsum",
    X
    + """<testsuites tests="3" failures="1" errors="0" time="0.2"><testsuite tests="3" failures="1" time="0.2" name="ex.com/a" timestamp="x"><properties><property name="go.version" value="go1.22"></property></properties>
<testcase classname="ex.com/a" name="TestA" time="0.0"></testcase><testcase classname="ex.com/a" name="TestB/sub" time="0.0"><failure message="Failed" type="">=== RUN   TestB/sub&#xA;    a_test.go:9: no&#xA;</failure></testcase><testcase classname="ex.com/a" name="TestC"><skipped message="x"></skipped></testcase></testsuite></testsuites>""",
    {P: 1, F: 1, S: 1},
    ["ex.com/a::TestB/sub"],
)
d(
    "gotestsum, a build that failed",
    X
    + """<testsuites tests="1" failures="1" errors="1"><testsuite tests="0" failures="1" name="ex.com/b"><testcase classname="ex.com/b" name="TestMain" time="0"><failure message="Failed" type="">FAIL ex.com/b [build failed]</failure></testcase></testsuite></testsuites>""",
    {F: 1},
    ["ex.com/b::TestMain"],
)
d(
    "catch2",
    X
    + """<testsuites><testsuite name="tests" errors="1" failures="1" skipped="0" tests="3" hostname="tbd" time="0.01" timestamp="x"><properties><property name="random-seed" value="1"/></properties>
<testcase classname="tests.global" name="ok" time="0" status="run"/><testcase classname="tests.global" name="bad" time="0" status="run"><failure message="1 == 2" type="REQUIRE">FAILED:
  REQUIRE( 1 == 2 )</failure></testcase><testcase classname="tests.global" name="threw" status="run"><error type="TEST_CASE">FAILED: boom</error></testcase><system-out/></testsuite></testsuites>""",
    {P: 1, F: 1, E: 1},
    ["tests.global::bad", "tests.global::threw"],
)
d(
    "googletest",
    X
    + """<testsuites tests="4" failures="1" disabled="1" errors="0" timestamp="x" time="0" name="AllTests"><testsuite name="A" tests="4" failures="1" disabled="1" skipped="1" errors="0">
<testcase name="Ok" file="a.cc" line="1" status="run" result="completed" classname="A"/><testcase name="Bad" status="run" result="completed" classname="A"><failure message="a.cc:9&#x0A;Expected equality" type=""><![CDATA[a.cc:9]]></failure><failure message="second" type=""/></testcase>
<testcase name="DISABLED_x" status="notrun" result="suppressed" classname="A"/><testcase name="Skip" status="run" result="skipped" classname="A"><skipped message="x"/></testcase></testsuite></testsuites>""",
    {P: 1, F: 1, S: 2},
    ["A::Bad"],
)
d(
    "playwright",
    X
    + """<testsuites id="" name="" tests="3" failures="1" skipped="1" errors="0" time="2"><testsuite name="a.spec.ts" timestamp="x" hostname="chromium" tests="3" failures="1" skipped="1" time="1" errors="0"><testcase name="login > ok" classname="a.spec.ts" time="1"></testcase><testcase name="login > bad" classname="a.spec.ts"><failure message="a.spec.ts:3:5 bad" type="FAILURE"><![CDATA[  [chromium] > a.spec.ts:3:5 > login > bad
    Error: expect(received)]]></failure><system-out><![CDATA[x]]></system-out></testcase><testcase name="skip" classname="a.spec.ts"><skipped></skipped></testcase></testsuite></testsuites>""",
    {P: 1, F: 1, S: 1},
    ["a.spec.ts::login > bad"],
)
d(
    "namespace",
    X
    + '<testsuites xmlns="http://junit.org/x"><testsuite><testcase classname="c" name="n"><failure message="m"/></testcase></testsuite></testsuites>',
    {F: 1},
    ["c::n"],
)
d(
    "prefix",
    X
    + '<j:testsuites xmlns:j="http://junit.org/x"><j:testsuite><j:testcase classname="c" name="n"><j:error message="m"/></j:testcase></j:testsuite></j:testsuites>',
    {E: 1},
    ["c::n"],
)
d("BOM", "\ufeff" + X + '<testsuite><testcase name="n"/></testsuite>', {P: 1})
d("utf-16", (X.replace("UTF-8", "UTF-16") + '<testsuite><testcase name="n"/></testsuite>').encode("utf-16"), {P: 1})
d(
    "latin-1",
    '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="n\xe9"><failure message="\xe4"/></testcase></testsuite>'.encode(
        "latin-1"
    ),
    {F: 1},
    ["n\xe9"],
)
d(
    "windows-1252",
    '<?xml version="1.0" encoding="windows-1252"?><testsuite><testcase name="n\x80"/></testsuite>'.encode("latin-1"),
    {P: 1},
)
d(
    "utf-8 said, latin-1 written",
    (X + '<testsuite><testcase name="ok"/><testcase name="n\xe9"><failure message="x"/></testcase></testsuite>').encode(
        "latin-1"
    ),
    {P: 1, F: 1},
    ["n\ufffd"],
)
d(
    "control characters",
    X
    + '<testsuite><testcase name="ok"/><testcase name="bad"><failure message="\x1b[31mred\x1b[0m">\x1b[31mx\x08</failure></testcase></testsuite>',
    {P: 1, F: 1},
    ["bad"],
)
d("empty lines before", "\n\n" + X + '<testsuite><testcase name="n"/></testsuite>', {P: 1})
d(
    "a suite error outside of cases",
    X
    + '<testsuites><testsuite name="s" tests="1" errors="1" failures="0"><error message="setup failed"/><testcase name="n" classname="c"/></testsuite></testsuites>',
    {P: 1, E: 1},
    ["s"],
)
d(
    "counts without cases",
    X + '<testsuites tests="5" failures="2"><testsuite name="s" tests="5" failures="2" errors="0"/></testsuites>',
    {},
    [],
    broken=True,
)
d(
    "more failures counted than listed",
    X
    + '<testsuite name="s" tests="3" failures="2"><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>',
    {P: 1, F: 1},
    ["b"],
)
d(
    "a failing suite whose cases all pass",
    X + '<testsuite name="s" tests="2" failures="1" errors="0"><testcase name="a"/><testcase name="b"/></testsuite>',
    {P: 2},
    [],
    broken=True,
)
d(
    "trx to junit",
    X
    + """<testsuites><testsuite name="MSTestSuite" tests="2" time="0.1" failures="1" errors="0" skipped="0"><testcase classname="Ns.Tests" name="A" time="0.01"/><testcase classname="Ns.Tests" name="B"><failure message="Assert.Equal() Failure">at B</failure></testcase></testsuite></testsuites>""",
    {P: 1, F: 1},
    ["Ns.Tests::B"],
)
d(
    "junit of .NET's logger",
    X
    + """<testsuites><testsuite name="T.dll" tests="1" skipped="0" failures="1" errors="0" time="0.1" timestamp="x" hostname="h" id="0" package="T.dll"><properties/><testcase classname="Ns.T" name="B(x: 1)" time="0.1"><failure type="failure" message="no">x</failure></testcase><system-out>log</system-out><system-err/></testsuite></testsuites>""",
    {F: 1},
    ["Ns.T::B(x: 1)"],
)
d(
    "status by attribute alone",
    X + '<testsuite tests="2"><testcase name="a" status="passed"/><testcase name="b" status="failed"/></testsuite>',
    {P: 1, F: 1},
    ["b"],
)
d(
    "xunit.net v2",
    X
    + """<assemblies timestamp="x"><assembly name="a.dll" total="3" passed="1" failed="1" skipped="1" errors="0"><collection total="3"><test name="N.T.A" type="N.T" method="A" result="Pass"/><test name="N.T.B" type="N.T" method="B" result="Fail"><failure><message>no</message></failure></test><test name="N.T.C" result="Skip"><reason>x</reason></test></collection></assembly></assemblies>""",
    {P: 1, F: 1, S: 1},
    ["N.T.B"],
)
d(
    "trx",
    X
    + """<TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult testName="N.T.A" outcome="Passed"/><UnitTestResult testName="N.T.B" outcome="Failed"><Output><ErrorInfo><Message>no</Message></ErrorInfo></Output></UnitTestResult><UnitTestResult testName="N.T.C" outcome="NotExecuted"/></Results><ResultSummary outcome="Failed"><Counters total="3" passed="1" failed="1"/></ResultSummary></TestRun>""",
    {P: 1, F: 1, S: 1},
    ["N.T.B"],
)
d(
    "nunit 3",
    X
    + """<test-run id="2" testcasecount="2" result="Failed" total="2" passed="1" failed="1"><test-suite type="Assembly"><test-case id="1" name="A" fullname="N.T.A" result="Passed"/><test-case id="2" name="B" fullname="N.T.B" result="Failed"><failure><message><![CDATA[no]]></message></failure></test-case></test-suite></test-run>""",
    {P: 1, F: 1},
    ["N.T.B"],
)


# ctrf
def ctrf(*tests, **summary):
    return {
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "results": {
            "tool": {"name": "x"},
            "summary": {
                "tests": len(tests),
                "passed": 0,
                "failed": 0,
                "pending": 0,
                "skipped": 0,
                "other": 0,
                "start": 1,
                "stop": 2,
                **summary,
            },
            "tests": list(tests),
        },
    }


d(
    "ctrf of playwright",
    ctrf(
        {
            "name": "a",
            "status": "passed",
            "duration": 1,
            "rawStatus": "passed",
            "tags": [],
            "type": "e2e",
            "filePath": "a.ts",
            "retries": 0,
            "flaky": False,
            "steps": [],
            "suite": "chromium > a.ts",
        },
        {
            "name": "b",
            "status": "passed",
            "duration": 2,
            "retries": 1,
            "flaky": True,
            "retryAttempts": [{"attempt": 1, "status": "failed"}],
        },
        {"name": "c", "status": "failed", "duration": 0, "message": "\u001b[2mexpect(\u001b[22m", "trace": "at c"},
        {"name": "d", "status": "skipped", "duration": 0},
    ),
    {P: 2, F: 1, S: 1},
    ["c"],
    flaky=["b"],
)
d(
    "ctrf retries without flaky",
    ctrf({"name": "b", "status": "passed", "duration": 2, "retries": 2}),
    {P: 1},
    [],
    flaky=["b"],
)
d(
    "ctrf suites",
    ctrf({"name": "a", "suite": ["x", "y"], "status": "other", "duration": 1, "message": None}),
    {E: 1},
    ["a"],
)
d(
    "ctrf summary alone",
    {
        "results": {
            "tool": {"name": "x"},
            "summary": {"tests": 3, "passed": 2, "failed": 1, "pending": 0, "skipped": 0, "other": 0},
            "tests": [],
        }
    },
    {},
    [],
    broken=True,
)
# tap
d(
    "tap subtests 14",
    "TAP version 14\n1..2\n# Subtest: a\n    ok 1 - x\n    not ok 2 - y\n      ---\n      message: boom\n      ...\n    1..2\nnot ok 1 - a\nok 2 - b\n",
    {P: 2, F: 1},
    ["y"],
)
d("tap plan last", "ok 1 - a\nok 2 - b # skip no\nnot ok 3 - c # TODO x\n1..3\n", {P: 1, S: 2})
d("tap no version", "1..2\nok 1\nnot ok 2\n", {P: 1, F: 1}, ["2"])
d("tap missing plan", "TAP version 13\nok 1 - a\n", {P: 1}, [], broken=True)
d("tap bail", "TAP version 13\n1..3\nok 1 - a\nBail out! db\n", {P: 1}, [], broken=True)
d("tap skip all", "1..0 # SKIP no db\n", {S: 1})
d(
    "tap of bats",
    "1..3\nok 1 adds\nnot ok 2 subtracts\n# (in test file t.bats, line 9)\n#   `[ 1 -eq 2 ]' failed\nok 3 later # skip\n",
    {P: 1, F: 1, S: 1},
    ["subtracts"],
)
d(
    "tap of tap (node-tap)",
    "TAP version 14\n# Subtest: a.test.js\n    # Subtest: one\n        ok 1 - should be equal\n        not ok 2 - should match\n          ---\n          diff: |\n            x\n          ...\n        1..2\n        # failed 1 of 2 tests\n    not ok 1 - one # time=3ms\n    \n    1..1\n    # failed 1 test\nnot ok 1 - a.test.js # time=100ms\n  ---\n  exitCode: 1\n  ...\n\n1..1\n# failed 1 test\n",
    {P: 1, F: 1},
    ["should match"],
)
d("tap todo passes", "TAP version 13\n1..2\nok 1 - a # TODO x\nok 2 - b\n", {P: 1, S: 1})
d("tap duplicate", "TAP version 13\n1..2\nok 1 - a\nok 1 - a\n", {P: 2})
d("tap escaped hash", "1..1\nnot ok 1 - a \\# TODO no\n", {F: 1}, ["a \\# TODO no"])
d("tap extra point", "1..1\nok 1 - a\nnot ok 2 - b\n", {P: 1, F: 1}, ["b"], broken=True)
d(
    "tap pragma yaml ok",
    "TAP version 14\npragma +strict\n1..1\nok 1 - a\n  ---\n  not ok: yes\n  data: |\n    not ok 3 - inside\n  ...\n",
    {P: 1},
)


def sarif(*results, **run):
    return {
        "$schema": "x",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "t", "rules": []}}, "results": list(results), **run}],
    }


d(
    "sarif ruff",
    sarif(
        {
            "ruleId": "F401",
            "level": "error",
            "message": {"text": "`os` imported but unused"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "file:///w/a.py"},
                        "region": {"startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 10},
                    }
                }
            ],
            "fixes": [],
        }
    ),
    {},
    ["F401 file:///w/a.py:1"],
    findings={"error": 1},
)
d(
    "sarif semgrep rule default",
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "semgrep",
                        "rules": [
                            {"id": "r1", "defaultConfiguration": {"level": "error"}},
                            {"id": "r2", "defaultConfiguration": {"level": "note"}},
                        ],
                    }
                },
                "results": [
                    {"ruleId": "r1", "message": {"text": "x"}, "locations": []},
                    {"ruleId": "r2", "ruleIndex": 1, "message": {"text": "x"}},
                ],
                "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
            }
        ],
    },
    {},
    ["r1"],
    findings={"error": 1, "note": 1},
)
d(
    "sarif rule ref",
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "codeql", "rules": [{"id": "q1", "defaultConfiguration": {"level": "error"}}]}
                },
                "results": [{"ruleIndex": 0, "rule": {"id": "q1", "index": 0}, "message": {"text": "x"}}],
            }
        ],
    },
    {},
    ["q1"],
    findings={"error": 1},
)
d(
    "sarif extension rules",
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "codeql"},
                    "extensions": [{"name": "p", "rules": [{"id": "q2", "defaultConfiguration": {"level": "error"}}]}],
                },
                "results": [
                    {
                        "ruleId": "q2",
                        "rule": {"id": "q2", "index": 0, "toolComponent": {"index": 0}},
                        "message": {"text": "x"},
                    }
                ],
            }
        ],
    },
    {},
    ["q2"],
    findings={"error": 1},
)
d(
    "sarif suppressed",
    sarif(
        {
            "ruleId": "a",
            "level": "error",
            "message": {"text": "x"},
            "suppressions": [{"kind": "inSource", "justification": "j"}],
        },
        {
            "ruleId": "b",
            "level": "error",
            "message": {"text": "x"},
            "suppressions": [{"kind": "external", "status": "rejected"}],
        },
        {"ruleId": "c", "level": "error", "message": {"text": "x"}, "suppressions": []},
    ),
    {},
    ["b", "c"],
    findings={"error": 2},
)
d(
    "sarif baseline",
    sarif(
        {"ruleId": "a", "level": "error", "baselineState": "unchanged", "message": {"text": "x"}},
        {"ruleId": "b", "level": "error", "baselineState": "new", "message": {"text": "x"}},
    ),
    {},
    ["a", "b"],
    findings={"error": 2},
)
d(
    "sarif two runs",
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "a"}},
                "results": [{"ruleId": "a", "level": "warning", "message": {"text": "x"}}],
            },
            {
                "tool": {"driver": {"name": "b"}},
                "results": [{"ruleId": "b", "level": "error", "message": {"text": "y"}}],
            },
        ],
    },
    {},
    ["b"],
    findings={"warning": 1, "error": 1},
)
d("sarif no results", sarif(), {}, [], findings={})
d(
    "sarif eslint fatal",
    {
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ESLint"}},
                "invocations": [
                    {
                        "toolConfigurationNotifications": [
                            {"level": "error", "message": {"text": "Parsing error"}, "descriptor": {"id": "ESL0999"}}
                        ],
                        "executionSuccessful": False,
                    }
                ],
                "results": [],
            }
        ],
    },
    {},
    [],
    findings={},
    broken=True,
)


# go
def go(*e):
    return "\n".join(json.dumps(x) for x in e) + "\n"


d(
    "go subtests",
    go(
        {"Action": "start", "Package": "p"},
        {"Action": "run", "Package": "p", "Test": "T"},
        {"Action": "run", "Package": "p", "Test": "T/a"},
        {"Action": "output", "Package": "p", "Test": "T/a", "Output": "    x_test.go:3: no\n"},
        {"Action": "fail", "Package": "p", "Test": "T/a"},
        {"Action": "run", "Package": "p", "Test": "T/b"},
        {"Action": "pass", "Package": "p", "Test": "T/b"},
        {"Action": "fail", "Package": "p", "Test": "T"},
        {"Action": "fail", "Package": "p"},
    ),
    {P: 1, F: 2},
    ["T/a", "T"],
)
d(
    "go panic",
    go(
        {"Action": "start", "Package": "p"},
        {"Action": "run", "Package": "p", "Test": "A"},
        {"Action": "pass", "Package": "p", "Test": "A"},
        {"Action": "run", "Package": "p", "Test": "B"},
        {"Action": "output", "Package": "p", "Test": "B", "Output": "panic: boom\n"},
        {"Action": "fail", "Package": "p", "Test": "B"},
        {"Action": "fail", "Package": "p"},
    ),
    {P: 1, F: 1},
    ["B"],
)
d(
    "go panic without end of the test",
    go(
        {"Action": "start", "Package": "p"},
        {"Action": "run", "Package": "p", "Test": "B"},
        {"Action": "output", "Package": "p", "Test": "B", "Output": "panic: boom\n"},
        {"Action": "output", "Package": "p", "Output": "FAIL\tp\t0.1s\n"},
        {"Action": "fail", "Package": "p"},
    ),
    {E: 1},
    None,
)
d(
    "go build failure 1.24",
    go(
        {"ImportPath": "p", "Action": "build-output", "Output": "# p\n"},
        {"ImportPath": "p", "Action": "build-output", "Output": "./a.go:3:2: undefined: x\n"},
        {"ImportPath": "p", "Action": "build-fail"},
        {"Action": "start", "Package": "p"},
        {"Action": "output", "Package": "p", "Output": "FAIL\tp [build failed]\n"},
        {"Action": "fail", "Package": "p", "FailedBuild": "p"},
    ),
    {E: 1},
    ["p"],
)
d(
    "go build failure of the test variant",
    go(
        {"ImportPath": "p [p.test]", "Action": "build-output", "Output": "./a_test.go:3:2: undefined: x\n"},
        {"ImportPath": "p [p.test]", "Action": "build-fail"},
        {"Action": "start", "Package": "p"},
        {"Action": "output", "Package": "p", "Output": "FAIL\tp [build failed]\n"},
        {"Action": "fail", "Package": "p", "FailedBuild": "p [p.test]"},
    ),
    {E: 1},
    ["p"],
)
d(
    "go no tests",
    go(
        {"Action": "start", "Package": "p"},
        {"Action": "output", "Package": "p", "Output": "?   \tp\t[no test files]\n"},
        {"Action": "skip", "Package": "p"},
    ),
    {},
    [],
)
d(
    "go same test in two packages",
    go(
        {"Action": "fail", "Package": "p", "Test": "T"},
        {"Action": "fail", "Package": "p"},
        {"Action": "fail", "Package": "q", "Test": "T"},
        {"Action": "fail", "Package": "q"},
    ),
    {F: 2},
    None,
)
d(
    "go bench",
    go(
        {"Action": "start", "Package": "p"},
        {"Action": "bench", "Package": "p", "Test": "BenchmarkX", "Output": "x"},
        {"Action": "pass", "Package": "p"},
    ),
    {},
    [],
)
# jest / vitest
d(
    "jest obsolete pass",
    {
        "numFailedTestSuites": 0,
        "numPassedTests": 1,
        "numTotalTests": 1,
        "success": True,
        "testResults": [
            {
                "assertionResults": [
                    {
                        "ancestorTitles": ["a"],
                        "failureMessages": [],
                        "fullName": "a b",
                        "status": "passed",
                        "title": "b",
                    }
                ],
                "message": "",
                "name": "/w/a.test.js",
                "status": "passed",
                "startTime": 1,
                "endTime": 2,
            }
        ],
        "wasInterrupted": False,
    },
    {P: 1},
)
d(
    "jest interrupted",
    {
        "numPassedTests": 1,
        "success": True,
        "wasInterrupted": True,
        "testResults": [
            {"assertionResults": [{"fullName": "a", "status": "passed", "title": "a"}], "name": "a", "status": "passed"}
        ],
    },
    {P: 1},
    [],
    broken=True,
)
d(
    "vitest",
    {
        "numTotalTestSuites": 2,
        "numPassedTests": 1,
        "numFailedTests": 1,
        "success": False,
        "testResults": [
            {
                "assertionResults": [
                    {
                        "ancestorTitles": ["s"],
                        "fullName": " s ok",
                        "status": "passed",
                        "title": "ok",
                        "duration": 1,
                        "failureMessages": [],
                        "meta": {},
                    },
                    {
                        "ancestorTitles": ["s"],
                        "fullName": " s bad",
                        "status": "failed",
                        "title": "bad",
                        "failureMessages": ["AssertionError: expected 1 to be 2"],
                    },
                ],
                "startTime": 1,
                "endTime": 2,
                "status": "failed",
                "message": "",
                "name": "/w/a.test.ts",
            }
        ],
    },
    {P: 1, F: 1},
    ["s bad"],
)
d(
    "mocha json",
    {
        "stats": {"suites": 1, "tests": 3, "passes": 1, "pending": 1, "failures": 1},
        "tests": [
            {"title": "a", "fullTitle": "s a", "err": {}},
            {"title": "b", "fullTitle": "s b", "err": {"message": "no"}},
            {"title": "c", "fullTitle": "s c", "err": {}},
        ],
        "pending": [{"title": "c", "fullTitle": "s c", "err": {}}],
        "failures": [{"title": "b", "fullTitle": "s b", "err": {"message": "no", "stack": "Error: no"}}],
        "passes": [{"title": "a", "fullTitle": "s a", "err": {}}],
    },
    {P: 1, F: 1, S: 1},
    ["s b"],
)
d(
    "rspec json",
    {
        "version": "3.12",
        "examples": [
            {
                "id": "./spec/a_spec.rb[1:1]",
                "full_description": "A ok",
                "status": "passed",
                "file_path": "./spec/a_spec.rb",
                "line_number": 3,
            },
            {
                "id": "./spec/a_spec.rb[1:2]",
                "full_description": "A bad",
                "status": "failed",
                "exception": {"class": "X", "message": "\nexpected: 2"},
            },
            {"id": "3", "full_description": "A later", "status": "pending"},
        ],
        "summary": {"example_count": 3, "failure_count": 1, "pending_count": 1, "errors_outside_of_examples_count": 0},
        "summary_line": "3 examples, 1 failure, 1 pending",
    },
    {P: 1, F: 1, S: 1},
    ["./spec/a_spec.rb[1:2]"],
)
d(
    "rspec json, errors outside",
    {
        "version": "3.12",
        "examples": [],
        "messages": ["\nAn error occurred while loading ./spec/a_spec.rb."],
        "summary": {"example_count": 0, "failure_count": 0, "pending_count": 0, "errors_outside_of_examples_count": 1},
        "summary_line": "0 examples, 0 failures, 1 error occurred outside of examples",
    },
    {E: 1},
    None,
)
d(
    "pytest-json-report",
    {
        "created": 1,
        "exitcode": 1,
        "summary": {"passed": 1, "failed": 1, "total": 2, "collected": 2},
        "tests": [
            {"nodeid": "t.py::a", "outcome": "passed"},
            {
                "nodeid": "t.py::b",
                "outcome": "failed",
                "call": {"outcome": "failed", "longrepr": "def b():\nE  assert 1"},
            },
        ],
    },
    {P: 1, F: 1},
    ["t.py::b"],
)
d(
    "pytest-reportlog",
    go(
        {"pytest_version": "9", "$report_type": "SessionStart"},
        {"nodeid": "t.py::a", "when": "setup", "outcome": "passed", "$report_type": "TestReport"},
        {"nodeid": "t.py::a", "when": "call", "outcome": "passed", "$report_type": "TestReport"},
        {"nodeid": "t.py::b", "when": "call", "outcome": "failed", "$report_type": "TestReport"},
        {"exitstatus": 1, "$report_type": "SessionFinish"},
    ),
    {P: 1, F: 1},
    ["t.py::b"],
)


d(
    "tap with subtests in braces, as vitest writes it",
    """TAP version 13
1..3
not ok 1 - a.test.js # time=14.74ms {
    1..1
    not ok 1 - group # time=11.09ms {
        1..4
        ok 1 - fine # time=1.36ms
        not ok 2 - bad # time=9.24ms
            ---
            error:
                name: "AssertionError"
                message: "expected 1 to be 2"
            at: "/w/a.test.js:2:65"
            ...
        ok 3 - later # TODO
        ok 4 - off # SKIP
    }
}
not ok 2 - b.test.js
    ---
    error:
        name: "Error"
        message: "Cannot find module"
    ...
ok 3 - c.test.js # time=1.0ms {
    1..1
    ok 1 - fine # time=1ms
}
""",
    {P: 2, F: 2, S: 2},
    {"bad": "expected 1 to be 2", "b.test.js": "Cannot find module"},
)
d(
    "tap with plain lines under a point, as mocha writes it",
    "1..2\nok 1 a\nnot ok 2 b\n  boom\n      at Context.<anonymous> (a.js:1:89)\n# tests 2\n# pass 1\n# fail 1\n",
    {P: 1, F: 1},
    {"b": "boom"},
)
d(
    "tap of a group that fails by itself",
    "TAP version 14\n1..1\nnot ok 1 - group {\n    1..1\n    ok 1 - fine\n}\n",
    {P: 1, F: 1},
    ["group"],
)
d(
    "a summary in colours",
    "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m\x1b[2m | \x1b[22m\x1b[32m1 passed\x1b[39m\x1b[90m (2)\x1b[39m\n",
    {P: 1, F: 1},
)
d(
    "jest, a suite that failed to run",
    {
        "numPassedTests": 0,
        "success": False,
        "testResults": [
            {
                "name": "/w/b.test.js",
                "status": "failed",
                "assertionResults": [],
                "message": "  \u25cf Test suite failed to run\n\n    Jest encountered an unexpected token\n",
            }
        ],
    },
    {E: 1},
    {"/w/b.test.js": "Jest encountered an unexpected token"},
)


@pytest.mark.parametrize("row", D.values(), ids=D)
def test_dialect(tmp_path, row):
    text, tests, failing, more = row
    path = tmp_path / "report"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read(path)
    assert found is not None
    assert {name: number for name, number in found.tests.items() if number} == tests
    assert failing is None or (found.failing if isinstance(failing, dict) else list(found.failing)) == failing
    assert list(found.flaky) == more.get("flaky", [])
    assert bool(found.broken) == more.get("broken", False), found.broken
    assert found.findings == more.get("findings")


JEST = {
    "numPassedTests": 0,
    "success": False,
    "testResults": [{"name": "a", "status": "failed", "assertionResults": [{"fullName": "a", "status": "failed"}]}],
}
PRINTED = {
    "jest behind npm": f"> x@1.0.0 test\n> jest --json\n\n{json.dumps(JEST)}\n",
    "go behind make": 'go test -json ./...\n{"Action":"start","Package":"p"}\n{"Action":"fail","Package":"p","Test":"a"}\n{"Action":"fail","Package":"p"}\n',
    "cargo behind make": 'cargo test -- --format json\n{ "type": "suite", "event": "started", "test_count": 1 }\n{ "type": "test", "name": "a", "event": "failed" }\n{ "type": "suite", "event": "failed" }\n',
}


@pytest.mark.parametrize("text", PRINTED.values(), ids=PRINTED)
def test_an_output_for_machines_behind_other_words(text):
    found = read_output(text)
    assert found is not None
    assert (dict(found.tests), list(found.failing)) == ({"failed": 1}, ["a"])


def test_an_object_in_an_output_is_no_report():
    assert read_output('log {"a": 1}\n{"level": "info", "message": "' + "x" * 100 + '"}\n3 passed\n') is None
