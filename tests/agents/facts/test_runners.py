# ruff: noqa: E501, RUF001, W291 - outputs stand as the tools print them
"""Whole outputs of test runners, linters and compilers: result, numbers, failing ids and the line that says why."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Seen(NamedTuple):
    """What a check must be read as: ``counts`` are passed, failed, skipped, errors."""

    command: str
    exit: int
    counts: tuple[int | None, int | None, int | None, int | None] | None
    failing: list[str]
    error: str | None
    output: str
    result: str = "FAILED"


NODE_TAP = """TAP version 13
# Subtest: sum
    # Subtest: adds
    ok 1 - adds
      ---
      duration_ms: 0.584227
      ...
    # Subtest: adds wrong
    not ok 2 - adds wrong
      ---
      duration_ms: 1.053623
      location: '/home/dev/app/nt/sum.test.mjs:3:65'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        2 !== 3

      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      ...
    1..2
not ok 1 - sum
  ---
  duration_ms: 2.551954
  type: 'suite'
  location: '/home/dev/app/nt/sum.test.mjs:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
# Subtest: later
ok 2 - later # SKIP
# Subtest: todo
ok 3 - todo # TODO
1..3
# tests 4
# suites 1
# pass 1
# fail 1
# cancelled 0
# skipped 1
# todo 1
# duration_ms 97.990058
"""

SEEN: dict[str, Seen] = {
    "vitest": Seen(
        "npx vitest run",
        1,
        (1, 2, 2, None),
        ["vt/broken.test.ts", "vt/other.test.ts > throws", "vt/sum.test.ts > sum > adds wrong"],
        "Error: Failed to load url ./nothere (resolved id: ./nothere) in /home/dev/app/vt/broken.test.ts. Does the file exist?",
        """
 RUN  v2.1.9 /home/dev/app

 ❯ vt/sum.test.ts (4 tests | 1 failed | 2 skipped) 7ms
   × sum > adds wrong 5ms
     → expected 2 to be 3 // Object.is equality
 ❯ vt/broken.test.ts (0 test)
 ❯ vt/other.test.ts (1 test | 1 failed) 4ms
   × throws 3ms
     → x is not a function

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  vt/broken.test.ts [ vt/broken.test.ts ]
Error: Failed to load url ./nothere (resolved id: ./nothere) in /home/dev/app/vt/broken.test.ts. Does the file exist?
 ❯ loadAndTransform node_modules/vite/dist/node/chunks/dep-BK3b2jBa.js:51969:17

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/3]⎯

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  vt/other.test.ts > throws
TypeError: x is not a function
 ❯ vt/other.test.ts:2:30

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[2/3]⎯

 FAIL  vt/sum.test.ts > sum > adds wrong
AssertionError: expected 2 to be 3 // Object.is equality

- Expected
+ Received

- 3
+ 2

 ❯ vt/sum.test.ts:4:38

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[3/3]⎯

 Test Files  3 failed (3)
      Tests  2 failed | 1 passed | 1 skipped | 1 todo (5)
   Start at  13:36:55
   Duration  638ms (transform 46ms, setup 0ms, collect 34ms, tests 11ms, environment 0ms, prepare 160ms)
""",
    ),
    "vitest in a workspace": Seen(
        "pnpm vitest run --project web",
        1,
        (41, 1, None, None),
        ["src/cart.test.ts > cart > totals"],
        "AssertionError: expected 9.99 to be 10 // Object.is equality",
        """
 FAIL  |web| src/cart.test.ts > cart > totals
AssertionError: expected 9.99 to be 10 // Object.is equality
 ❯ src/cart.test.ts:12:20

 Test Files  1 failed | 7 passed (8)
      Tests  1 failed | 41 passed (42)
""",
    ),
    "vitest benched and typed": Seen(
        "vitest run --typecheck", 0, (12, None, None, None), [], None,
        " Test Files  2 passed (2)\n      Tests  12 passed (12)\nType Errors  no errors\n   Start at  10:00:00\n", "PASSED",
    ),
    "jest": Seen(
        "npx jest",
        1,
        (1, 2, 2, None),
        ["sum › adds wrong", "top level throws", "jt/broken.test.js"],
        "expect(received).toBe(expected) // Object.is equality",
        """FAIL jt/sum.test.js
  ● sum › adds wrong

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 2

      1 | describe('sum', () => {
    > 3 |   it('adds wrong', () => expect(1+1).toBe(3))
        |                                      ^

      at Object.toBe (sum.test.js:3:38)

  ● top level throws

    TypeError: x is not a function

      at Object.<anonymous> (sum.test.js:7:40)

FAIL jt/broken.test.js
  ● Test suite failed to run

    Cannot find module './nothere' from 'broken.test.js'

      at Resolver._throwModNotFoundError (../node_modules/jest-resolve/build/resolver.js:427:11)

Test Suites: 2 failed, 2 total
Tests:       2 failed, 1 skipped, 1 todo, 1 passed, 5 total
Snapshots:   0 total
Time:        0.305 s
Ran all test suites.
""",
    ),
    "jest prints the failures twice and logs": Seen(
        "yarn test",
        1,
        (30, 1, None, None),
        ["parser › reads dates"],
        "RangeError: Invalid time value",
        """yarn run v1.22.19
$ jest --ci
PASS src/a.test.ts
  ● Console

    console.error
      Error: expected in this test: network down
        at Object.<anonymous> (src/a.test.ts:9:1)

FAIL src/parser.test.ts
  ● parser › reads dates

    RangeError: Invalid time value

      at parse (src/parser.ts:14:9)


Summary of all failing tests
FAIL src/parser.test.ts
  ● parser › reads dates

    RangeError: Invalid time value

      at parse (src/parser.ts:14:9)

Test Suites: 1 failed, 6 passed, 7 total
Tests:       1 failed, 30 passed, 31 total
Snapshots:   4 passed, 4 total
Time:        3.2 s
error Command failed with exit code 1.
info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.
""",
    ),
    "mocha": Seen(
        "npx mocha",
        2,
        (1, 2, 1, None),
        ["sum adds wrong", "sum inner deep"],
        "AssertionError [ERR_ASSERTION]: 2 == 3",
        """

  sum
    ✔ adds
    1) adds wrong
    inner
      2) deep
      - later


  1 passing (6ms)
  1 pending
  2 failing

  1) sum
       adds wrong:

      AssertionError [ERR_ASSERTION]: 2 == 3
      + expected - actual

      -2
      +3

      at Context.<anonymous> (mt/sum.spec.js:4:33)

  2) sum
       inner
         deep:
     Error: boom
      at Context.<anonymous> (mt/sum.spec.js:5:54)


""",
    ),
    "node --test, TAP": Seen("node --test nt/", 1, (1, 1, 2, None), ["adds wrong"], "2 !== 3", NODE_TAP),
    "node --test, spec": Seen(
        "node --test",
        1,
        (1, 1, 2, None),
        ["adds wrong"],
        "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
        """▶ sum
  ✔ adds (0.638858ms)
  ✖ adds wrong (0.975517ms)
    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

    2 !== 3

✖ sum (2.537834ms)
﹣ later (0.111285ms) # SKIP
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 0
ℹ skipped 1
ℹ todo 1
ℹ duration_ms 97.363955

✖ failing tests:

test at nt/sum.test.mjs:3:65
✖ adds wrong (0.975517ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  2 !== 3
""",
    ),
    "bun test": Seen(
        "bun test",
        1,
        (1, 1, 2, None),
        ["sum > adds wrong"],
        "error: expect(received).toBe(expected)",
        """bun test v1.4.5 (a7733435c)

sum.test.ts:
(pass) sum > adds [0.02ms]
error: expect(received).toBe(expected)

Expected: 3
Received: 2

(fail) sum > adds wrong [0.05ms]
(skip) sum > later
(todo) sum > x

 1 pass
 1 skip
 1 todo
 1 fail
 2 expect() calls
Ran 4 tests across 1 file. [3.00ms]
""",
    ),
    "deno test, in colour": Seen(
        "deno test",
        1,
        (1, 2, 1, None),
        ["adds wrong", "steps ... two"],
        "error: Error: 2 != 3",
        "\x1b[0m\x1b[32mCheck\x1b[0m sum_test.ts\n\x1b[0m\x1b[38;5;245mrunning 4 tests from ./sum_test.ts\x1b[0m\nadds ... \x1b[0m\x1b[32mok\x1b[0m \x1b[0m\x1b[38;5;245m(13ms)\x1b[0m\n"
        "adds wrong ... \x1b[0m\x1b[31mFAILED\x1b[0m \x1b[0m\x1b[38;5;245m(2ms)\x1b[0m\nlater ... \x1b[0m\x1b[33mignored\x1b[0m \x1b[0m\x1b[38;5;245m(0ms)\x1b[0m\nsteps ...\n  one ... \x1b[0m\x1b[32mok\x1b[0m\n"
        "  two ... \x1b[0m\x1b[31mFAILED\x1b[0m\nsteps ... \x1b[0m\x1b[31mFAILED\x1b[0m (due to 1 failed step) \x1b[0m\x1b[38;5;245m(1ms)\x1b[0m\n\n\x1b[0m\x1b[1m\x1b[37m\x1b[41m ERRORS \x1b[0m\n\n"
        "adds wrong \x1b[0m\x1b[38;5;245m=> ./sum_test.ts:3:6\x1b[0m\n\x1b[0m\x1b[1m\x1b[31merror\x1b[0m: Error: 2 != 3\n    at \x1b[0m\x1b[1m\x1b[3meq\x1b[0m (file:///home/dev/app/sum_test.ts:1:58)\n\n"
        "steps ... two \x1b[0m\x1b[38;5;245m=> ./sum_test.ts:5:74\x1b[0m\n\x1b[0m\x1b[1m\x1b[31merror\x1b[0m: Error: 1 != 2\n\n\x1b[0m\x1b[1m\x1b[37m\x1b[41m FAILURES \x1b[0m\n\n"
        "adds wrong \x1b[0m\x1b[38;5;245m=> ./sum_test.ts:3:6\x1b[0m\nsteps ... two \x1b[0m\x1b[38;5;245m=> ./sum_test.ts:5:74\x1b[0m\n\n\x1b[0m\x1b[31mFAILED\x1b[0m | 1 passed (1 step) | 2 failed (1 step) | 1 ignored \x1b[0m\x1b[38;5;245m(25ms)\x1b[0m\n\n\x1b[0m\x1b[1m\x1b[31merror\x1b[0m: Test failed\n",
    ),
    "ava": Seen(
        "npx ava",
        1,
        (None, 1, 1, None),
        ["wrong"],
        None,
        """
  - [skip] later
  ✔ adds
  ✘ [fail]: wrong
  ─

  wrong

  a.test.mjs:3

  Difference (- actual, + expected):

  - 2
  + 3

  ─

  1 test failed
  1 test skipped
""",
    ),
    "playwright": Seen(
        "npx playwright test",
        1,
        (3, 1, 1, None),
        ["[chromium] › tests/login.spec.ts:12:5 › login › shows the error"],
        "Error: expect(locator).toBeVisible() failed",
        """
Running 5 tests using 2 workers

  ✓  1 [chromium] › tests/home.spec.ts:3:5 › home (1.2s)
  ✘  2 [chromium] › tests/login.spec.ts:12:5 › login › shows the error (5.1s)
  -  3 [chromium] › tests/login.spec.ts:30:5 › login › later

  1) [chromium] › tests/login.spec.ts:12:5 › login › shows the error ──────────────

    Error: expect(locator).toBeVisible() failed

    Locator: getByText('Wrong password')
    Expected: visible
    Timeout: 5000ms

      at /home/dev/app/tests/login.spec.ts:15:40

  1 failed
    [chromium] › tests/login.spec.ts:12:5 › login › shows the error ──────────────
  1 skipped
  3 passed (9.3s)
""",
    ),
    "pytest -q": Seen(
        "pytest -q",
        1,
        (3, 4, 2, 1),
        [
            "tests/test_a.py::test_p[2]",
            "tests/test_a.py::test_p[a b - c]",
            "tests/test_a.py::TestC::test_m",
            "tests/test_a.py::TestC::test_sub",
            "tests/test_a.py::test_fix",
        ],
        "assert 2 == 1",
        """.FF.ExsF.                                                              [100%]
=========================== short test summary info ============================
FAILED tests/test_a.py::test_p[2] - assert 2 == 1
FAILED tests/test_a.py::test_p[a b - c] - AssertionError: assert 'a b - c' == 1
FAILED tests/test_a.py::TestC::test_m - AssertionError: 1 != 2
SUBFAILED(i=1) tests/test_a.py::TestC::test_sub - AssertionError: 1 != 0
ERROR tests/test_a.py::test_fix - RuntimeError: no database
4 failed, 3 passed, 1 skipped, 1 xfailed, 1 error, 1 subtests passed in 0.01s
""",
    ),
    "pytest -x": Seen(
        "pytest -x -q",
        1,
        (1, 1, None, None),
        ["tests/test_a.py::test_p[2]"],
        "assert 2 == 1",
        """E   assert 2 == 1

tests/test_a.py:3: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_p[2] - assert 2 == 1
!!!!!!!!!!!!!!!!!!!!!!!!!! stopping after 1 failures !!!!!!!!!!!!!!!!!!!!!!!!!!!
1 failed, 1 passed in 0.02s
""",
    ),
    "pytest -n with a crashed worker": Seen(
        "pytest -n 4",
        1,
        (57, 1, None, None),
        ["tests/test_io.py::test_map"],
        None,
        """[gw2] node down: Not properly terminated
replacing crashed worker gw2
=========================== short test summary info ============================
FAILED tests/test_io.py::test_map
=================== 1 failed, 57 passed, 2 warnings in 8.21s (0:00:08) ==================
""",
    ),
    "pytest -n -v, no summary of failures": Seen(
        "pytest -n 2 -v --tb=no -rN",
        1,
        (1, 1, None, None),
        ["tests/test_a.py::test_b"],
        None,
        """[gw0] [ 50%] PASSED tests/test_a.py::test_a
[gw1] [100%] FAILED tests/test_a.py::test_b
========================= 1 failed, 1 passed in 0.30s ==========================
""",
    ),
    "pytest -v --tb=no -rN": Seen(
        "pytest -v --tb=no -rN",
        1,
        (1, 1, None, None),
        ["tests/test_a.py::test_b[x y]"],
        None,
        """tests/test_a.py::test_a PASSED                                          [ 50%]
tests/test_a.py::test_b[x y] FAILED                                     [100%]

========================= 1 failed, 1 passed in 0.30s ==========================
""",
    ),
    "pytest cannot collect": Seen(
        "pytest -q",
        2,
        (None, None, None, 1),
        [],
        "ModuleNotFoundError: No module named 'nothere'",
        """==================================== ERRORS ====================================
_______________________ ERROR collecting tests/test_b.py _______________________
ImportError while importing test module '/home/dev/app/tests/test_b.py'.
Traceback:
tests/test_b.py:1: in <module>
    import nothere
E   ModuleNotFoundError: No module named 'nothere'
=========================== short test summary info ============================
ERROR tests/test_b.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.10s
""",
        "ERROR",
    ),
    "unittest": Seen(
        "python -m unittest",
        1,
        (1, 2, 2, 1),
        ["test_err (tests.test_u.T.test_err)", "test_a (tests.test_u.T.test_a)", "test_sub (tests.test_u.T.test_sub)"],
        "ValueError: nope",
        """FxE.sF
======================================================================
ERROR: test_err (tests.test_u.T.test_err)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/app/tests/test_u.py", line 9, in test_err
    def test_err(self): raise ValueError("nope")
                        ^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: nope

======================================================================
FAIL: test_a (tests.test_u.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/app/tests/test_u.py", line 3, in test_a
AssertionError: 1 != 2

======================================================================
FAIL: test_sub (tests.test_u.T.test_sub) (i=1)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/app/tests/test_u.py", line 12, in test_sub
AssertionError: 1 != 0

----------------------------------------------------------------------
Ran 6 tests in 0.001s

FAILED (failures=2, errors=1, skipped=1, expected failures=1)
""",
    ),
    "django": Seen(
        "python manage.py test",
        1,
        (11, 1, None, None),
        ["test_total (shop.tests.test_cart.CartTests.test_total)"],
        "AssertionError: Decimal('9.99') != Decimal('10')",
        """Found 12 test(s).
Creating test database for alias 'default'...
System check identified no issues (0 silenced).
.......F....
======================================================================
FAIL: test_total (shop.tests.test_cart.CartTests.test_total)
The sum of a cart.
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/app/shop/tests/test_cart.py", line 31, in test_total
    self.assertEqual(cart.total(), Decimal("10"))
AssertionError: Decimal('9.99') != Decimal('10')

----------------------------------------------------------------------
Ran 12 tests in 1.214s

FAILED (failures=1)
Destroying test database for alias 'default'...
""",
    ),
    "tox": Seen(
        "tox",
        1,
        (3, None, None, None),
        [],
        "lint: FAIL code 1 (0.12=setup[0.11]+cmd[0.00] seconds)",
        """py311: commands[0]> pytest -q
3 passed in 0.01s
py311: OK ✔ in 0.42 seconds
lint: commands[0]> ruff check .
lint: exit 1 (0.00 seconds) /home/dev/app> ruff check . pid=26954
  py311: OK (0.42=setup[0.42]+cmd[0.00] seconds)
  lint: FAIL code 1 (0.12=setup[0.11]+cmd[0.00] seconds)
  evaluation failed :( (0.57 seconds)
""",
    ),
    "tox, several environments": Seen(
        "tox run-parallel",
        0,
        (24, None, 2, None),
        [],
        None,
        """py310: commands[0]> pytest
============================== 12 passed, 1 skipped in 0.40s ==============================
py310: OK ✔ in 1.42 seconds
py311: commands[0]> pytest
============================== 12 passed, 1 skipped in 0.38s ==============================
  py310: OK (1.42=setup[0.42]+cmd[1.00] seconds)
  py311: OK (1.22=setup[0.22]+cmd[1.00] seconds)
  congratulations :) (2.71 seconds)
""",
        "PASSED",
    ),
    "nox": Seen(
        "nox",
        1,
        (3, 1, None, None),
        ["tests/test_a.py::test_p[2]"],
        "assert 2 == 1",
        """nox > Running session tests
nox > pytest -q tests/test_a.py --tb=no
FAILED tests/test_a.py::test_p[2] - assert 2 == 1
1 failed, 3 passed in 0.01s
nox > Command pytest -q tests/test_a.py --tb=no failed with exit code 1
nox > Session tests failed.
nox > Running session lint
nox > Session lint was successful.
nox > Ran 2 sessions:
nox > * tests: failed
nox > * lint: success
""",
    ),
    "go test": Seen(
        "go test ./...",
        1,
        (None, 2, 0, None),
        ["TestSum", "TestSum/negative_numbers"],
        "sum_test.go:19: got -1, want 1",
        """--- FAIL: TestSum (0.00s)
    --- FAIL: TestSum/negative_numbers (0.00s)
        sum_test.go:19: got -1, want 1
FAIL
FAIL\texample.org/app/sum\t0.004s
ok  \texample.org/app/text\t(cached)
?   \texample.org/app/cmd\t[no test files]
FAIL
""",
    ),
    "go test, testify": Seen(
        "go test ./...",
        1,
        (None, 1, 0, None),
        ["TestStore"],
        "Error: Not equal:",
        """--- FAIL: TestStore (0.01s)
    store_test.go:41: 
        \tError Trace:\t/home/dev/app/store_test.go:41
        \tError:      \tNot equal: 
        \t            \texpected: 3
        \t            \tactual  : 2
        \tTest:       \tTestStore
FAIL
exit status 1
FAIL\texample.org/app/store\t0.020s
""",
    ),
    "go test, panic": Seen(
        "go test ./...",
        2,
        (None, 1, 0, None),
        ["TestLoad"],
        "panic: runtime error: invalid memory address or nil pointer dereference [recovered]",
        """--- FAIL: TestLoad (0.00s)
panic: runtime error: invalid memory address or nil pointer dereference [recovered]
\tpanic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4f1b2c]

goroutine 7 [running]:
testing.tRunner.func1.2({0x51ec40, 0x6a1f70})
FAIL\texample.org/app/load\t0.005s
FAIL
""",
    ),
    "go test does not build": Seen(
        "go test ./...",
        1,
        None,
        ["example.org/app/sum"],
        "./sum.go:9:12: undefined: total",
        """# example.org/app/sum [example.org/app/sum.test]
./sum.go:9:12: undefined: total
FAIL\texample.org/app/sum [build failed]
ok  \texample.org/app/text\t0.002s
FAIL
""",
    ),
    "gotestsum": Seen(
        "gotestsum ./...",
        1,
        (6, 1, 1, None),
        ["TestSum"],
        "sum_test.go:9: got 3, want 4",
        """✓  text (2ms)
✖  sum (4ms)

=== Failed
=== FAIL: sum TestSum (0.00s)
    sum_test.go:9: got 3, want 4

DONE 8 tests, 1 skipped, 1 failure in 0.6s
""",
    ),
    "cargo test": Seen(
        "cargo test --no-fail-fast",
        101,
        (2, 3, 1, None),
        ["tests::adds_wrong", "tests::unwraps", "it_holds"],
        "assertion `left == right` failed: sum is off",
        """   Compiling sums v0.1.0 (/home/dev/app)
    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.90s
     Running unittests src/lib.rs (target/debug/deps/sums-ecd90ae6b2807d0f)

running 4 tests
test tests::adds ... ok
test tests::adds_wrong ... FAILED
test tests::slow ... ignored
test tests::unwraps ... FAILED

failures:

---- tests::adds_wrong stdout ----

thread 'tests::adds_wrong' (27957) panicked at src/lib.rs:9:31:
assertion `left == right` failed: sum is off
  left: 4
 right: 5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- tests::unwraps stdout ----

thread 'tests::unwraps' (27958) panicked at src/lib.rs:11:57:
called `Option::unwrap()` on a `None` value


failures:
    tests::adds_wrong
    tests::unwraps

test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
     Running tests/it.rs (target/debug/deps/it-db99d5157659f42b)

running 1 test
test it_holds ... FAILED

failures:

---- it_holds stdout ----

thread 'it_holds' (27960) panicked at tests/it.rs:1:25:
assertion failed: sums::add(1, 1) == 3


failures:
    it_holds

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests sums

running 1 test
test src/lib.rs - add (line 1) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: 2 targets failed:
    `--lib`
    `--test it`
""",
    ),
    "cargo test does not compile": Seen(
        "cargo test",
        101,
        None,
        [],
        "error[E0308]: mismatched types",
        """   Compiling sums v0.1.0 (/home/dev/app)
error[E0308]: mismatched types
 --> src/lib.rs:8:42
  |
8 |     #[test] fn adds() { assert_eq!(add(2,"x"), 4); }
  |                                    ---   ^^^ expected `i32`, found `&str`

For more information about this error, try `rustc --explain E0308`.
error: could not compile `sums` (lib test) due to 1 previous error
""",
    ),
    "cargo nextest": Seen(
        "cargo nextest run",
        100,
        (9, 1, 2, None),
        ["sums tests::adds_wrong"],
        "assertion `left == right` failed",
        """────────────
 Nextest run ID 1f7ccaf1 with nextest profile: default
    Starting 10 tests across 2 binaries (2 tests skipped)
        PASS [   0.004s] sums tests::adds
        FAIL [   0.005s] sums tests::adds_wrong
  stdout ───

    running 1 test
    test tests::adds_wrong ... FAILED

  stderr ───

    thread 'tests::adds_wrong' panicked at src/lib.rs:9:31:
    assertion `left == right` failed
      left: 4
     right: 5

────────────
     Summary [   0.012s] 10 tests run: 9 passed, 1 failed, 2 skipped
        FAIL [   0.005s] sums tests::adds_wrong
error: test run failed
""",
    ),
    "gradle": Seen(
        "./gradlew test",
        1,
        (46, 1, 1, None),
        ["CartTest > total()"],
        "org.opentest4j.AssertionFailedError at CartTest.java:19",
        """> Task :compileJava UP-TO-DATE
> Task :test FAILED

CartTest > total() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:19

48 tests completed, 1 failed, 1 skipped

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':test'.
> There were failing tests. See the report at: file:///home/dev/app/build/reports/tests/test/index.html

BUILD FAILED in 3s
3 actionable tasks: 2 executed, 1 up-to-date
""",
    ),
    "gradle does not compile": Seen(
        "./gradlew test",
        1,
        None,
        [],
        "/home/dev/app/src/main/java/x/Cart.java:7: error: cannot find symbol",
        """> Task :compileJava FAILED
/home/dev/app/src/main/java/x/Cart.java:7: error: cannot find symbol
        return lines.total();
                    ^
  symbol:   method total()
1 error

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileJava'.
> Compilation failed; see the compiler error output for details.

BUILD FAILED in 1s
""",
    ),
    "maven surefire": Seen(
        "mvn -B test",
        1,
        (9, 1, 1, 1),
        ["SumTest.wrong:9", "SumTest.boom:12"],
        "sum is off ==> expected: <3> but was: <2>",
        """[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running x.SumTest
[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.053 s <<< FAILURE! -- in x.SumTest
[ERROR] x.SumTest.wrong -- Time elapsed: 0.006 s <<< FAILURE!
org.opentest4j.AssertionFailedError: sum is off ==> expected: <3> but was: <2>
\tat org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)
\tat x.SumTest.wrong(SumTest.java:9)

[ERROR] x.SumTest.boom -- Time elapsed: 0.001 s <<< ERROR!
java.lang.NullPointerException: Cannot invoke "Object.toString()" because "o" is null
\tat x.SumTest.boom(SumTest.java:12)

[INFO] Running x.OtherTest
[INFO] Tests run: 8, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s -- in x.OtherTest
[INFO] 
[INFO] Results:
[INFO] 
[ERROR] Failures: 
[ERROR]   SumTest.wrong:9 sum is off ==> expected: <3> but was: <2>
[ERROR] Errors: 
[ERROR]   SumTest.boom:12 NullPointer Cannot invoke "Object.toString()" because "o" is null
[INFO] 
[ERROR] Tests run: 12, Failures: 1, Errors: 1, Skipped: 1
[INFO] 
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project x: There are test failures.
""",
    ),
    "maven, several modules": Seen(
        "mvn -q verify",
        0,
        (30, 0, 2, 0),
        [],
        None,
        """[INFO] Tests run: 20, Failures: 0, Errors: 0, Skipped: 2
[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0
[INFO] BUILD SUCCESS
""",
        "PASSED",
    ),
    "dotnet test": Seen(
        "dotnet test",
        1,
        (10, 1, 1, None),
        ["App.Tests.SumTests.Adds(a: 1, b: 2)"],
        "Assert.Equal() Failure: Values differ",
        """  Determining projects to restore...
  All projects are up-to-date for restore.
  App.Tests -> /home/dev/app/bin/Debug/net8.0/App.Tests.dll
Test run for /home/dev/app/bin/Debug/net8.0/App.Tests.dll (.NETCoreApp,Version=v8.0)
Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.41]     App.Tests.SumTests.Adds(a: 1, b: 2) [FAIL]
  Failed App.Tests.SumTests.Adds(a: 1, b: 2) [4 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 4
Actual:   3
  Stack Trace:
     at App.Tests.SumTests.Adds(Int32 a, Int32 b) in /home/dev/app/SumTests.cs:line 12

Failed!  - Failed:     1, Passed:    10, Skipped:     1, Total:    12, Duration: 29 ms - App.Tests.dll (net8.0)
""",
    ),
    "dotnet test, terminal logger": Seen(
        "dotnet test",
        1,
        (11, 1, 0, None),
        ["App.Tests.SumTests.Adds"],
        "Assert.Equal() Failure: Values differ",
        """Restore complete (0.4s)
  App succeeded (0.2s) → bin/Debug/net9.0/App.dll
  App.Tests test failed with 1 error(s) (0.9s)
    /home/dev/app/SumTests.cs(12): error TESTERROR:
      App.Tests.SumTests.Adds (4ms): Error Message: Assert.Equal() Failure: Values differ
      Expected: 4
      Actual:   3

Test summary: total: 12, failed: 1, succeeded: 11, skipped: 0, duration: 0.9s
Build failed with 1 error(s) in 2.1s
""",
    ),
    "rspec": Seen(
        "bundle exec rspec",
        1,
        (9, 2, 1, None),
        ["./spec/cart_spec.rb:12", "./spec/cart_spec.rb[1:3:1]"],
        "expected: 10",
        """..F....F..*.

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) Cart waits for shipping
     # Temporarily skipped with xit
     # ./spec/cart_spec.rb:40

Failures:

  1) Cart#total sums the lines
     Failure/Error: expect(cart.total).to eq(10)

       expected: 10
            got: 9

       (compared using ==)
     # ./spec/cart_spec.rb:13:in `block (3 levels) in <top (required)>'

  2) Cart#total with tax rounds
     Failure/Error: raise ArgumentError, "rate"

     ArgumentError:
       rate

Finished in 0.02 seconds (files took 0.1 seconds to load)
12 examples, 2 failures, 1 pending

Failed examples:

rspec ./spec/cart_spec.rb:12 # Cart#total sums the lines
rspec './spec/cart_spec.rb[1:3:1]' # Cart#total with tax rounds
""",
    ),
    "minitest": Seen(
        "bin/rails test",
        1,
        (5, 1, 1, 1),
        ["CartTest#test_totals_the_lines", "CartTest#test_reads_rates"],
        "Expected: 10",
        """Running 8 tests in a single process (parallelization threshold is 50)
Run options: --seed 4242

# Running:

..F

Failure:
CartTest#test_totals_the_lines [test/models/cart_test.rb:9]:
Expected: 10
  Actual: 9

bin/rails test test/models/cart_test.rb:7

.E

Error:
CartTest#test_reads_rates:
KeyError: key not found: "rate"
    app/models/cart.rb:14:in `fetch'

bin/rails test test/models/cart_test.rb:15

S..

Finished in 0.123456s, 64.8000 runs/s, 97.2000 assertions/s.
8 runs, 12 assertions, 1 failures, 1 errors, 1 skips
""",
    ),
    "minitest, plain": Seen(
        "rake test",
        1,
        (4, 1, 0, 0),
        ["TestCart#test_total"],
        "Expected: 10",
        """Run options: --seed 1

# Running:

.F...

Finished in 0.001s, 5000.0 runs/s, 5000.0 assertions/s.

  1) Failure:
TestCart#test_total [test/test_cart.rb:8]:
Expected: 10
  Actual: 9

5 runs, 5 assertions, 1 failures, 0 errors, 0 skips
rake aborted!
Command failed with status (1)
""",
    ),
    "phpunit": Seen(
        "vendor/bin/phpunit",
        1,
        (21, 1, 1, 1),
        ["App\\Tests\\CartTest::testRates", 'App\\Tests\\CartTest::testTotal with data set "one" (1, 2)'],
        "TypeError: rate(): Argument #1 must be of type int, string given",
        """PHPUnit 11.2.0 by Sebastian Bergmann and contributors.

..E....F....S...........                                          24 / 24 (100%)

Time: 00:00.041, Memory: 10.00 MB

There was 1 error:

1) App\\Tests\\CartTest::testRates
TypeError: rate(): Argument #1 must be of type int, string given

/home/dev/app/tests/CartTest.php:12

--

There was 1 failure:

1) App\\Tests\\CartTest::testTotal with data set "one" (1, 2)
Failed asserting that 3 matches expected 4.

/home/dev/app/tests/CartTest.php:22

ERRORS!
Tests: 24, Assertions: 40, Errors: 1, Failures: 1, Skipped: 1.
""",
    ),
    "pest": Seen(
        "vendor/bin/pest",
        1,
        (5, 1, 1, None),
        ["Tests\\Unit\\CartTest > it totals"],
        "Failed asserting that 3 is identical to 4.",
        """
   PASS  Tests\\Unit\\ExampleTest
  ✓ that true is true

   FAIL  Tests\\Unit\\CartTest
  ⨯ it totals                                                             0.01s
  ────────────────────────────────────────────────────────────────────────────
   FAILED  Tests\\Unit\\CartTest > it totals
  Failed asserting that 3 is identical to 4.

  at tests/Unit/CartTest.php:4

  Tests:    1 failed, 1 skipped, 5 passed (9 assertions)
  Duration: 0.10s
""",
    ),
    "ctest": Seen(
        "ctest --test-dir build",
        8,
        (1, 3, None, None),
        ["bad_one", "Suite.bad two", "crash"],
        None,
        """Internal ctest changing into directory: /home/dev/app/build
Test project /home/dev/app/build
    Start 1: good
1/4 Test #1: good .............................   Passed    0.00 sec
    Start 2: bad_one
2/4 Test #2: bad_one ..........................***Failed    0.00 sec

25% tests passed, 3 tests failed out of 4

Total Test time (real) =   0.01 sec

The following tests FAILED:
\t  2 - bad_one (Failed)
\t  3 - Suite.bad two (Not Run)
\t  4 - crash (SEGFAULT)
Errors while running CTest
""",
    ),
    "googletest": Seen(
        "./build/run_tests.sh",
        1,
        (11, 1, None, None),
        ["CartTest.Total"],
        "cart_test.cc:14: Failure",
        """[==========] Running 12 tests from 3 test suites.
[ RUN      ] CartTest.Total
cart_test.cc:14: Failure
Expected equality of these values:
  cart.total()
    Which is: 9
  10
[  FAILED  ] CartTest.Total (0 ms)
[----------] 4 tests from CartTest (0 ms total)
[==========] 12 tests from 3 test suites ran. (1 ms total)
[  PASSED  ] 11 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] CartTest.Total

 1 FAILED TEST
""",
    ),
    "swift test": Seen(
        "swift test",
        1,
        (11, 1, None, None),
        ["CartTests.testTotal"],
        'XCTAssertEqual failed: ("9") is not equal to ("10")',
        """Building for debugging...
Build complete! (1.21s)
Test Suite 'All tests' started at 2026-01-02 10:00:00.000
Test Case '-[AppTests.CartTests testEmpty]' passed (0.001 seconds).
/home/dev/app/Tests/AppTests/CartTests.swift:9: error: CartTests.testTotal : XCTAssertEqual failed: ("9") is not equal to ("10")
Test Case 'CartTests.testTotal' failed (0.002 seconds)
Test Suite 'All tests' failed at 2026-01-02 10:00:01.000.
\t Executed 12 tests, with 1 failure (0 unexpected) in 0.100 (0.102) seconds
""",
    ),
    "swift testing": Seen(
        "swift test",
        1,
        (None, 1, None, None),
        ["totals()"],
        "Expectation failed: (cart.total → 9) == 10",
        """◇ Test run started.
◇ Test totals() started.
✘ Test totals() recorded an issue at CartTests.swift:6:5: Expectation failed: (cart.total → 9) == 10
✘ Test totals() failed after 0.001 seconds with 1 issue.
✔ Test empty() passed after 0.001 seconds.
✘ Test run with 2 tests failed after 0.002 seconds with 1 issue.
""",
    ),
    "mix test": Seen(
        "mix test",
        2,
        (13, 1, 1, None),
        ["test total sums the lines (Shop.CartTest)"],
        "Assertion with == failed",
        """Running ExUnit with seed: 42, max_cases: 8

.......

  1) test total sums the lines (Shop.CartTest)
     test/shop/cart_test.exs:7
     Assertion with == failed
     code:  assert Cart.total([1, 2]) == 4
     left:  3
     right: 4
     stacktrace:
       test/shop/cart_test.exs:8: (test)

.......
Finished in 0.05 seconds (0.03s async, 0.02s sync)
2 doctests, 13 tests, 1 failure, 1 skipped
""",
    ),
    "zig test": Seen(
        "zig build test",
        1,
        (4, 1, None, None),
        ["main.test.adds"],
        "expected 5, found 4",
        """test
└─ run test 4/5 passed, 1 failed
error: 'main.test.adds' failed: expected 5, found 4
/home/dev/app/src/main.zig:12:5: 0x103c7b1 in test.adds (test)
Build Summary: 3/5 steps succeeded; 1 failed; 4/5 tests passed; 1 failed
""",
    ),
    "eslint": Seen(
        "npx eslint .",
        1,
        (None, None, None, 3),
        [],
        "1:5 error 'a' is assigned a value but never used no-unused-vars",
        """
/home/dev/app/lint.js
  1:5   error    'a' is assigned a value but never used  no-unused-vars
  1:10  error    Missing semicolon                       semi
  2:1   warning  Unexpected console statement            no-console
  2:15  error    Missing semicolon                       semi

✖ 4 problems (3 errors, 1 warning)
  2 errors and 0 warnings potentially fixable with the `--fix` option.

""",
    ),
    "tsc --pretty": Seen(
        "tsc --noEmit",
        2,
        (None, None, None, 2),
        [],
        "ts/a.ts:1:7 - error TS2322: Type 'string' is not assignable to type 'number'.",
        "\x1b[96mts/a.ts\x1b[0m:\x1b[93m1\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'string' is not assignable to type 'number'.\n\n\x1b[7m1\x1b[0m const x: number = \"s\";\n\nFound 2 errors in the same file, starting at: ts/a.ts\x1b[90m:1\x1b[0m\n",
    ),
    "tsc": Seen(
        "npx tsc --noEmit",
        2,
        None,
        [],
        "ts/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
        "ts/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\nts/a.ts(1,41): error TS2304: Cannot find name 'zz'.\n",
    ),
    "pyright": Seen(
        "pyright",
        1,
        (None, None, None, 2),
        [],
        """/home/dev/app/p.py:1:10 - error: Type "Literal['a']" is not assignable to declared type "int\"""",
        """/home/dev/app/p.py
  /home/dev/app/p.py:1:10 - error: Type "Literal['a']" is not assignable to declared type "int"
    "Literal['a']" is not assignable to "int" (reportAssignmentType)
  /home/dev/app/p.py:3:10 - error: "nope" is not a known attribute of module "os" (reportAttributeAccessIssue)
2 errors, 0 warnings, 0 informations
""",
    ),
    "mypy": Seen(
        "mypy .",
        1,
        (None, None, None, 1),
        [],
        'm.py:2: error: Incompatible types in assignment (expression has type "str", variable has type "int") [assignment]',
        'm.py:2: error: Incompatible types in assignment (expression has type "str", variable has type "int")  [assignment]\nFound 1 error in 1 file (checked 1 source file)\n',
    ),
    "ruff": Seen(
        "ruff check .",
        1,
        (None, None, None, 4),
        [],
        "F821 Undefined name `nope`",
        """F821 Undefined name `nope`
 --> m.py:4:12
  |
2 | x:int="a"
4 |   return a+nope
  |            ^^^^

Found 4 errors.
[*] 3 fixable with `--fix`.
""",
    ),
    "ruff, concise": Seen(
        "ruff check --output-format concise",
        1,
        (None, None, None, 1),
        [],
        "m.py:4:12: F821 Undefined name `nope`",
        "m.py:4:12: F821 Undefined name `nope`\nFound 1 error.\n",
    ),
    "ruff format --check": Seen(
        "ruff format --check .", 1, None, [], "Would reformat: m.py", "Would reformat: m.py\n1 file would be reformatted, 3 files already formatted\n",
    ),
    "black --check": Seen(
        "black --check .", 1, None, [], "would reformat m.py", "would reformat m.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted.\n",
    ),
    "flake8": Seen(
        "flake8", 1, None, [], "m.py:1:1: F401 'os' imported but unused", "m.py:1:1: F401 'os' imported but unused\nm.py:3:1: E302 expected 2 blank lines, found 0\n",
    ),
    "pylint": Seen(
        "pylint pkg", 30, None, [], "m.py:4:11: E0602: Undefined variable 'nope' (undefined-variable)",
        "************* Module m\nm.py:4:11: E0602: Undefined variable 'nope' (undefined-variable)\n\n-----------------------------------\nYour code has been rated at 0.00/10\n",
    ),
    "clippy": Seen(
        "cargo clippy -- -D warnings", 101, None, [], "error: unneeded `return` statement",
        "    Checking sums v0.1.0 (/home/dev/app)\nerror: unneeded `return` statement\n --> src/lib.rs:4:5\n  |\n  = note: `-D clippy::needless-return` implied by `-D warnings`\n\nerror: could not compile `sums` (lib) due to 1 previous error\n",
    ),
    "golangci-lint": Seen(
        "golangci-lint run", 1, (None, None, None, 2), [], "sum.go:9:2: ineffectual assignment to err (ineffassign)",
        "sum.go:9:2: ineffectual assignment to err (ineffassign)\n\terr = f()\n\t^\nsum.go:12:6: func `x` is unused (unused)\n2 issues:\n* ineffassign: 1\n* unused: 1\n",
    ),
    "rubocop": Seen(
        "bundle exec rubocop", 1, (None, None, None, 2), [], "app/models/cart.rb:3:1: C: Layout/TrailingWhitespace: Trailing whitespace detected.",
        "Inspecting 12 files\n..C.........\n\nOffenses:\n\napp/models/cart.rb:3:1: C: Layout/TrailingWhitespace: Trailing whitespace detected.\n\n12 files inspected, 2 offenses detected, 1 offense autocorrectable\n",
    ),
    "biome": Seen(
        "npx biome ci", 1, (None, None, None, 2), [], "src/a.ts:3:7 lint/correctness/noUnusedVariables ━━━━━━━━━━",
        "src/a.ts:3:7 lint/correctness/noUnusedVariables ━━━━━━━━━━\n\n  ! This variable is unused.\n\nChecked 14 files in 22ms. No fixes applied.\nFound 2 errors.\nci ━━━━━━━━━━\n\n  × Some errors were emitted while running checks.\n",
    ),
    "prettier --check": Seen(
        "npx prettier --check .", 1, None, [], "[warn] src/a.ts", "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n",
    ),
    "gcc by make": Seen(
        "make build", 2, None, [], "main.c:7:5: error: expected ';' before 'return'",
        "gcc -c main.c -o main.o\nmain.c: In function 'main':\nmain.c:7:5: error: expected ';' before 'return'\nmake: *** [Makefile:4: main.o] Error 1\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_what_a_runner_printed(story, name: str, ends: str) -> None:
    seen = SEEN[name]
    (check,) = story.runs(seen.command, seen.output.replace("\n", ends), seen.exit).facts().checks
    numbers = check.counts and (check.counts.passed, check.counts.failed, check.counts.skipped, check.counts.errors)
    assert (check.result, numbers, check.failing) == (seen.result, seen.counts, seen.failing)
    if seen.error is not None:
        assert check.error_line == seen.error


NUMBERS = [
    ("web:test:  Test Files  1 passed (1)\nweb:test:       Tests  4 passed (4)\napi:test:  Test Files  1 failed (1)\napi:test:       Tests  1 failed | 6 passed (7)\n", (10, 1, None, None)),
    ("packages/web test$ vitest run\npackages/web test:       Tests  4 passed (4)\npackages/api test:       Tests  6 passed (6)\npackages/api test: Done\n", (10, None, None, None)),
    ("web-1  | ..... [100%]\nweb-1  | 5 passed in 0.3s\nweb-1 exited with code 0\n", (5, None, None, None)),
    ("Bestanden!   : Fehler:     0, erfolgreich:    10, übersprungen:     1, gesamt:    11, Dauer: 29 ms - A.dll (net8.0)\n", (10, 0, 1, None)),
    ("Réussi!  - échec :     0, réussite :    10, ignorée(s) :     0, total :    10, durée : 29 ms - A.dll\n", (10, 0, 0, None)),
    ("已通过! - 失败:     0，通过:    10，已跳过:     1，总计:    11，持续时间: 29 ms - A.dll (net8.0)\n", (10, 0, 1, None)),
    ("失敗!   -失敗:     2、合格:     8、スキップ:     0、合計:    10、期間: 29 ms - A.dll\n", (8, 2, 0, None)),
    ("Total tests: 12\n     Passed: 11\n     Failed: 1\n Total time: 1.2 Seconds\n", (11, 1, None, None)),
    ("✔ Test empty() passed after 0.001 seconds.\n✔ Test run with 12 tests in 2 suites passed after 0.002 seconds.\n", (12, None, None, None)),
    ("\x1b]0;vitest\x07\x1b[?25l\x1b[1m\x1b[30m\x1b[46m RUN \x1b(B\x1b[m\n\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m7 passed\x1b[39m\x1b[22m\x1b[90m (7)\x1b[39m\n", (7, None, None, None)),
    ("..... [100%]\n\n... [212 lines truncated] ...\n\n5 passed in 0.3s\n", (5, None, None, None)),
    ("12 passed in 0.10s\nFound 3 errors.\n", (12, None, None, 3)),
    ("== 3 passed, 1 rerun in 1.00s ==", (3, None, None, None)),
]  # fmt: skip


@pytest.mark.parametrize(("output", "expected"), NUMBERS)
def test_numbers_behind_task_names_in_other_languages_and_between_cuts(story, output: str, expected) -> None:
    (check,) = story.runs("make test", output, 0).facts().checks
    found = check.counts
    assert found is not None
    assert (found.passed, found.failed, found.skipped, found.errors) == expected


@pytest.mark.parametrize(
    ("command", "output", "result"),
    [
        ("make ci 2>&1 | tail -5", "12 passed in 0.10s\nmake: *** [Makefile:9: lint] Error 1\n", "FAILED"),
        ("npm run check | tail -20", "      Tests  7 passed (7)\nnpm error Lifecycle script `lint` failed with error:\n", "FAILED"),
        ("nox 2>&1 | tail", "12 passed in 0.1s\nnox > Session lint failed.\n", "FAILED"),
        ("pnpm -r test | tail", "packages/a test:       Tests  1 failed | 3 passed (4)\npackages/b test:       Tests  6 passed (6)\n", "FAILED"),
        ("just ci | tail -20", "12 passed in 0.10s\nFound 3 errors.\n", "FAILED"),
        ("make ci 2>&1 | tail -5", "12 passed in 0.10s\nall good\n", "PASSED"),
    ],
)  # fmt: skip
def test_passing_tests_do_not_hide_what_failed_beside_them(story, command: str, output: str, result: str) -> None:
    (check,) = story.runs(command, output, 0).facts().checks
    assert check.result == result


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("cd web && npm test", "bash: line 1: cd: web: Datei oder Verzeichnis nicht gefunden", 1),
        ("cd web && npm test", "bash: ligne 1: cd: web: Aucun fichier ou dossier de ce type", 1),
        ("cd web && npm test", "bash: línea 1: cd: web: No existe el archivo o el directorio", 1),
        ("cd web && npm test", "-bash: cd: web: 没有那个文件或目录", 1),
        ("cd web && npm test", "-bash: cd: web: そのようなファイルやディレクトリはありません", 1),
        ("make test", "make: *** Keine Regel, um „test“ zu erstellen.  Schluss.", 2),
        ("make test", "make: *** Aucune règle pour fabriquer la cible « test ». Arrêt.", 2),
        ("make -C web test", "make: *** web: Datei oder Verzeichnis nicht gefunden.  Schluss.", 2),
        ("pytest", "/bin/sh: 1: pytest: not found", 127),
        ("zsh -c pytest", "zsh:1: command not found: pytest", 127),
        ("vitest run", "'vitest' is not recognized as an internal or external command,\r\noperable program or batch file.", 1),
        ("npx vitest run", "No test files found, exiting with code 1\n\nfilter: src/nope.test.ts\n", 1),
        ("npx jest src/nope", "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n", 1),
        ("npx mocha test/nope.js", 'Error: No test files found: "test/nope.js"', 1),
        ("cargo test", "error: could not find `Cargo.toml` in `/home/dev` or any parent directory", 101),
        ("go test ./nope", "stat /home/dev/app/nope: directory not found\nFAIL\t./nope [setup failed]\nFAIL", 1),
        ("go test ./...", "pattern ./...: directory prefix . does not contain main module or its selected dependencies", 1),
        ("./gradlew test", "bash: ./gradlew: No such file or directory", 127),
        ("mvn test", "[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/home/dev).", 1),
        ("dotnet test", "MSBUILD : error MSB1003: Specify a project or solution file. The current working directory does not contain a project or solution file.", 1),
        ("bundle exec rspec", "Could not locate Gemfile or .bundle/ directory", 10),
        ("rake test", "rake aborted!\nNo Rakefile found (looking for: rakefile, Rakefile, rakefile.rb, Rakefile.rb)", 1),
        ("vendor/bin/phpunit tests/Nope.php", 'Cannot open file "tests/Nope.php".', 1),
        ("ctest --test-dir nope", "Failed to change working directory to nope : No such file or directory", 1),
        ("swift test", "error: Could not find Package.swift in this directory or any of its parent directories.", 1),
        ("mix test", "** (Mix) Could not find a Mix.ProjectError, please ensure you are running Mix in a directory with a mix.exs file", 1),
        ("python manage.py test", "python: can't open file '/home/dev/manage.py': [Errno 2] No such file or directory", 2),
        ("npx tsc --noEmit -p nope.json", "error TS5058: The specified path does not exist: 'nope.json'.", 1),
        ("npx eslint src/nope.js", 'Oops! Something went wrong! :(\n\nESLint: 9.1.0\n\nNo files matching the pattern "src/nope.js" were found.', 2),
        ("npx eslint .", "ESLint couldn't find an eslint.config.(js|mjs|cjs) file.", 2),
        ("mypy nope", "mypy: can't read file 'nope': No such file or directory", 2),
        ("ruff check nope", "error: Failed to lint nope: No such file or directory (os error 2)\nE902 No such file or directory (os error 2)", 1),
        ("pnpm test", ' ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json (or package.yaml, or package.json5) was found in "/home/dev".', 1),
        ("bun run test", 'error: Script not found "test"', 1),
        ("just test", "error: No justfile found", 1),
        ("tox -e py39", "py39: skipped because could not find python interpreter with spec(s): py39\n  py39: SKIP (0.01 seconds)\n  evaluation failed :( (0.05 seconds)", 1),
    ],
)  # fmt: skip
def test_what_could_not_run_is_an_error_and_no_failure(story, command: str, output: str, code: int) -> None:
    (check,) = story.runs(command, output, code).facts().checks
    assert check.result == "ERROR"


@pytest.mark.parametrize(
    ("command", "output", "result"),
    [
        ("cargo test nope", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out; finished in 0.00s\n", None),
        ("cargo test", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n\nrunning 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored\n", "PASSED"),
        ("go test ./...", "?   \texample.org/a\t[no test files]\n", None),
        ("go test -run Nope ./...", "ok  \texample.org/a\t0.002s [no tests to run]\n", None),
        ("go test ./...", "?   \texample.org/a\t[no test files]\nok  \texample.org/b\t(cached)\n", "PASSED"),
        ("go test -cover ./...", "?   \texample.org/a\t[no test files]\nok  \texample.org/b\t0.1s\tcoverage: 81.0% of statements\n", "PASSED"),
        ("go test ./b", "", "PASSED"),
        ("npx jest --passWithNoTests", "No tests found, exiting with code 0\n", None),
        ("vitest run --passWithNoTests", "No test files found, exiting with code 0\n", None),
        ("python -m unittest", "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n", None),
        ("npx mocha", "\n\n  0 passing (1ms)\n\n", None),
        ("dotnet test", "No test is available in /home/dev/app/A.dll. Make sure that test discoverer & executors are registered.\n", None),
        ("vendor/bin/phpunit", "No tests executed!\n", None),
        ("bundle exec rspec", "No examples found.\n\n0 examples, 0 failures\n", None),
        ("ctest", "No tests were found!!!\n", None),
        ("pytest -k slow", "2 skipped, 40 deselected in 0.10s\n", None),
        ("node --test", "ℹ tests 0\nℹ pass 0\nℹ fail 0\n", None),
        ("gofmt -l .", "sum.go\n", "FAILED"),
        ("gofmt -l .", "", "PASSED"),
        ("gofmt -d sum.go", "diff sum.go.orig sum.go\n--- sum.go.orig\n+++ sum.go\n", "FAILED"),
        ("pylint --exit-zero pkg", "m.py:4:11: E0602: Undefined variable 'nope' (undefined-variable)\n", None),
        ("pylint --exit-zero pkg", "\nYour code has been rated at 10.00/10\n", "PASSED"),
        ("make -i test", "1 failed, 3 passed in 0.1s\nmake: [Makefile:2: test] Error 1 (ignored)\n", "FAILED"),
    ],
)  # fmt: skip
def test_an_exit_code_of_0_is_no_pass_where_nothing_ran_or_the_tool_only_lists(
    story, command: str, output: str, result: str | None
) -> None:
    (check,) = story.runs(command, output, 0).facts().checks
    assert check.result == result


@pytest.mark.parametrize("command", ["black --diff src", "isort --diff src", "ruff format src", "prettier --write ."])
def test_what_only_shows_or_writes_formatting_is_no_check(story, command: str) -> None:
    assert story.runs(command, "--- a\n+++ b\n", 0).facts().checks == []
