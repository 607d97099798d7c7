# ruff: noqa: E501, RUF001 - outputs and commands stand as they are
"""Summaries and failing tests of the runners, as they print them."""

from __future__ import annotations

import pytest

from passdown.agents.facts.output.counts import counts
from passdown.agents.facts.output.errors import first_error
from passdown.agents.facts.output.failing import failing
from passdown.agents.facts.output.plain import clean

SUMMARIES = [
    ("== 2 failed, 10 passed, 3 skipped, 1 error in 3.21s ==", (10, 2, 3, 1)),
    ("5 passed, 1 warning in 0.02s", (5, None, None, None)),
    ("1 passed in 61.20s (0:01:01)", (1, None, None, None)),
    ("Ran 12 tests in 0.004s\n\nFAILED (failures=1, errors=2, skipped=3)", (6, 1, 3, 2)),
    ("Ran 3 tests in 0.001s\n\nOK", (3, None, None, None)),
    (
        "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 4 skipped, 20 passed, 25 total",
        (20, 1, 4, None),
    ),
    (" Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 30 passed (32)", (30, 2, None, None)),
    (" 1351 pass\n 0 fail\n 2939 expect() calls", (1351, 0, None, None)),
    ("  12 passing (34ms)\n  2 pending\n  1 failing", (12, 1, 2, None)),
    ("# tests 7\n# pass 5\n# fail 1\n# skipped 1", (5, 1, 1, None)),
    (
        "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 2 passed; 1 failed; 0 ignored;",
        (7, 1, 1, None),
    ),
    ("     Summary [   0.5s] 10 tests run: 9 passed, 1 failed, 2 skipped", (9, 1, 2, None)),
    ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL", (1, 1, 0, None)),
    ("DONE 120 tests, 2 skipped, 1 failure in 3.1s", (117, 1, 2, None)),
    ("10 examples, 1 failure, 2 pending", (7, 1, 2, None)),
    ("8 runs, 20 assertions, 1 failures, 0 errors, 2 skips", (5, 1, 2, 0)),
    ("OK (5 tests, 10 assertions)", (5, None, None, None)),
    ("Tests: 5, Assertions: 10, Failures: 1, Skipped: 1.", (3, 1, 1, None)),
    ("Passed!  - Failed:     0, Passed:    10, Skipped:     1, Total:    11, Duration: 1 s", (10, 0, 1, None)),
    ("[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0", (3, 1, 0, 1)),
    ("5 tests completed, 1 failed", (4, 1, None, None)),
    ("67% tests passed, 2 tests failed out of 6", (4, 2, None, None)),
    (
        "100% tests passed, 0 tests failed out of 2\n\nThe following tests did not run:\n\t  2 - b (Skipped)",
        (1, 0, 1, None),
    ),
    ("[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Flakes: 1", (2, 0, 1, 0)),
    ("test cases: 3 | 2 passed | 1 failed\nassertions: 5 | 4 passed | 1 failed", (2, 1, None, None)),
    ("All tests passed (5 assertions in 3 test cases)", (3, None, None, None)),
    ("1 feature passed, 0 failed\n3 scenarios passed, 1 failed, 0 skipped\n9 steps passed", (3, 1, 0, None)),
    ("4 scenarios (1 failed, 3 passed)\n12 steps (1 failed, 11 passed)", (3, 1, None, None)),
    ("A | FAIL |\n3 tests, 2 passed, 1 failed", (2, 1, None, None)),
    ("Executed 5 tests, with 1 failure (0 unexpected) in 0.1 seconds", (4, 1, None, None)),
    ("5 tests, 1 failure", (4, 1, None, None)),
    ("ok | 5 passed | 0 failed (12ms)", (5, 0, None, None)),
    ("  1 failed\n  2 skipped\n  9 passed (3.2s)", (9, 1, 2, None)),
    ("Found 3 errors in 2 files (checked 9 source files)", (None, None, None, 3)),
    ("✖ 5 problems (3 errors, 2 warnings)", (None, None, None, 3)),
    ("0 errors, 0 warnings, 0 informations", (None, None, None, 0)),
    ("0 issues.", (None, None, None, 0)),
    ("    54 Warning(s)\n    0 Error(s)", (None, None, None, 0)),
    ("\x1b[32m\x1b[1m5 passed\x1b[0m\x1b[32m in 0.02s\x1b[0m", (5, None, None, None)),
]


@pytest.mark.parametrize(("text", "expected"), SUMMARIES)
def test_counts(text: str, expected: tuple[int | None, ...]) -> None:
    found = counts(clean(text))
    assert found is not None
    assert (found.passed, found.failed, found.skipped, found.errors) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "all good",
        "we passed 3 gates",
        "2 files changed, 5 insertions(+)",
        "installed 5 packages in 3s",
        "error: something failed",
    ],
)
def test_no_summary_no_counts(text: str) -> None:
    assert counts(text) is None


FAILING = {
    "pytest": (
        "___ test_a ___\n>   assert f() == 2\nE   assert 1 == 2\n\na.py:3: AssertionError\n=== short test summary info ===\nFAILED tests/a.py::test_a - assert 1 == 2\nFAILED tests/b.py::T::test_b[x-1]\nERROR tests/c.py - ImportError: no x\n",
        {"tests/a.py::test_a": "assert 1 == 2", "tests/b.py::T::test_b[x-1]": "", "tests/c.py": "ImportError: no x"},
    ),
    "unittest": (
        'FAIL: test_sum (tests.T)\n-----\nTraceback (most recent call last):\n  File "t.py", line 4\nAssertionError: 1 != 2\n',
        {"test_sum (tests.T)": "AssertionError: 1 != 2"},
    ),
    "go": (
        "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL\n",
        {"TestSum": "sum_test.go:9: got 3, want 4"},
    ),
    "cargo": (
        "test tests::adds ... FAILED\n\n---- tests::adds stdout ----\nthread 'tests::adds' panicked at src/lib.rs:9:5:\nassertion `left == right` failed\n\nfailures:\n",
        {"tests::adds": "assertion `left == right` failed"},
    ),
    "jest": (
        "  ● sum › adds numbers\n\n    expect(received).toBe(expected)\n",
        {"sum › adds numbers": "expect(received).toBe(expected)"},
    ),
    "vitest": (
        " FAIL  src/a.test.ts > sum > adds\nAssertionError: expected 3 to be 4\n",
        {"src/a.test.ts > sum > adds": "AssertionError: expected 3 to be 4"},
    ),
    "bun": (
        "error: expect(received).toBe(expected)\n      at x\n(fail) sum > adds [0.5ms]\n(pass) ok\n",
        {"sum > adds": "error: expect(received).toBe(expected)"},
    ),
    "rspec": ("rspec ./spec/a_spec.rb:3 # Sum adds\n", {"./spec/a_spec.rb:3": "Sum adds"}),
    "phpunit": (
        "1) App\\SumTest::testAdds\nFailed asserting that 3 matches 4.\n",
        {"App\\SumTest::testAdds": "Failed asserting that 3 matches 4."},
    ),
    "dotnet": (
        "  Failed App.SumTests.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure: 3 != 4\n",
        {"App.SumTests.Adds": "Assert.Equal() Failure: 3 != 4"},
    ),
    "mocha": ("  1 failing\n\n  1) sum adds:\n     AssertionError: 3 == 4\n", {"sum adds": "AssertionError: 3 == 4"}),
    "gradle": (
        "SumTest > adds() FAILED\n    java.lang.AssertionError: 3 at SumTest.java:9\n",
        {"SumTest > adds()": "java.lang.AssertionError: 3 at SumTest.java:9"},
    ),
    "maven": ("[ERROR] SumTest.adds:9 expected: 4 but was: 3\n", {"SumTest.adds:9": "expected: 4 but was: 3"}),
    "ctest": ("The following tests FAILED:\n\t  3 - sum_adds (Failed)\n", {"sum_adds": ""}),
    "tap": ("not ok 2 - adds numbers\n", {"adds numbers": ""}),
    "node, of texts": (
        "not ok 2 - umlauts\n  ---\n  error: \"'gr\u00fc' == 'grue'\"\n  ...\n",
        {"umlauts": "'gr\u00fc' == 'grue'"},
    ),
}


@pytest.mark.parametrize("runner", FAILING)
def test_failing_ids_and_their_first_error(runner: str) -> None:
    text, expected = FAILING[runner]
    assert failing(text) == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("lint\nsrc/a.ts(1,2): error TS2322: no\n", "src/a.ts(1,2): error TS2322: no"),
        ("a.go:1: : # example.org/a [x]\nb.go:9:2: undefined: y (typecheck)\n", "b.go:9:2: undefined: y (typecheck)"),
        ("error[E0308]: mismatched types\n --> src/lib.rs:1:1", "error[E0308]: mismatched types"),
        ("fine\n", ""),
        ('Found 1 error.\nerror: script "lint" exited with code 1', ""),
    ],
)
def test_first_error(text: str, line: str) -> None:
    assert first_error(text) == line


def test_a_to_do_of_node_is_no_failing_test():
    text = (
        "\u2716 failing tests:\n\ntest at a.test.js:2:42\n\u2716 bad (2.1ms)\n  Error: boom\n\n"
        "test at a.test.js:2:88\n\u2716 later (0.1ms) # TODO\n  Error: not yet\n"
    )
    assert list(failing(text)) == ["bad"]


def test_why_a_file_could_not_be_collected():
    text = (
        "____________________ ERROR collecting test_a.py ____________________\n"
        "test_a.py:1: in <module>\n    import nothing\nE   ModuleNotFoundError: No module named 'nothing'\n"
        "=========================== short test summary info ============================\nERROR test_a.py\n"
        "!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n"
    )
    assert failing(text) == {"test_a.py": "ModuleNotFoundError: No module named 'nothing'"}


def test_a_documentation_test_of_rust_and_one_of_bats():
    assert list(failing("test src/lib.rs - add (line 2) ... FAILED\ntest a::b ... FAILED\n")) == [
        "src/lib.rs - add (line 2)",
        "a::b",
    ]
    assert list(failing("a.bats\n \u2713 adds\n \u2717 subtracts\n   `false' failed\n")) == ["subtracts"]
