"""Exit code 0 where nothing ran, or not all of it: what the output says of itself keeps it from being a pass."""

from __future__ import annotations

import json

import pytest

from passdown.checks.cut_short import cut_short
from passdown.checks.nothing_ran import not_started, nothing_ran
from support.desk import Desk

HEADER = "============================= test session starts ==============================\ncollected 3 items\n\n"
CARGO = "running 2 tests\ntest a ... ok\n"
CARGO_END = "\ntest result: ok. 2 passed; 0 failed; 0 ignored\n"

CUT = {
    "pytest that says nothing": ("pytest -q", ""),
    "pytest in the middle": ("pytest -q", "tests/test_a.py ...\ntests/test_b.py ."),
    "pytest, quiet": ("uv run pytest -q", "....F."),
    "pytest, a share": ("pytest -q", "........ [ 40%]"),
    "pytest in many words": ("python -m pytest -v", "tests/test_a.py::test_b PASSED [ 50%]\ntests/test_a.py::test_c"),
    "pytest behind make": ("make test", f"{HEADER}tests/test_a.py ..\n"),
    "a second pytest": ("make test", f"{HEADER}=== 3 passed in 0.10s ===\n{HEADER}..\n"),
    "unittest": ("python -m unittest", "..test output\n"),
    "Django": ("python manage.py test", "Found 12 test(s).\nSystem check identified no issues (0 silenced).\n....."),
    "cargo": ("cargo test", CARGO),
    "cargo, the second crate": ("cargo test", f"{CARGO}{CARGO_END}{CARGO}"),
    "nextest": ("cargo nextest run", "    Starting 4 tests across 2 binaries\n        PASS [   0.004s] a::b c\n"),
    "PHPUnit": ("vendor/bin/phpunit", "PHPUnit 10.5.2 by Sebastian Bergmann and contributors.\n\n....."),
    "GoogleTest": ("make test", "[==========] Running 3 tests from 1 test suite.\n[ RUN      ] A.B\n"),
    "bun": ("bun test", "bun test v1.1.8 (89d25807)\n\na.test.ts:\n"),
    "Playwright": ("npx playwright test", "Running 6 tests using 2 workers\n  ok 1 a.spec.ts:3:1 > a (1s)\n"),
    "minitest": ("bin/rails test", "Run options: --seed 1\n\n# Running:\n\n..."),
    "CTest": (
        "ctest --test-dir build",
        "Test project /w/build\n    Start 1: a\n1/2 Test #1: a ......   Passed 0.01 sec\n",
    ),
    "Catch2": ("./run-tests", "Randomness seeded to: 123\n"),
    "jest": ("npx jest", '  \u25cf process.exit called with "0"\n\n      at Object.<anonymous> (a.test.js:3:9)\n'),
}
WHOLE = {
    "pytest": ("pytest", f"{HEADER}tests/test_a.py ... [100%]\n\n======= 3 passed in 0.12s =======\n"),
    "pytest, quiet": ("pytest -q", "...  [100%]\n3 passed in 0.01s\n"),
    "pytest, long": ("pytest -q", "1 failed, 3 passed, 2 warnings in 71.20s (0:01:11)\n"),
    "pytest, more quiet": ("pytest -qq", "...                        [100%]\n"),
    "pytest, nothing": ("pytest", f"{HEADER}===== no tests ran in 0.01s =====\n"),
    "pytest, collected": ("pytest --collect-only -q", "tests/test_a.py::test_b\n\n1 test collected in 0.01s\n"),
    "pytest's version": ("pytest --version", "pytest 9.0.3\n"),
    "pytest with sugar": ("pytest", f"{HEADER} tests/test_a.py \u2713  100%\n\nResults (0.05s):\n       1 passed\n"),
    "pytest into a file": ("pytest -q > log.txt", ""),
    "pytest as TAP": ("pytest --tap-stream", "ok 1 a\nok 2 b\n1..2\n"),
    "pytest and then another": ("pytest -q && ruff check .", "3 passed in 0.1s\nAll checks passed!\n"),
    "pytest in pytest": ("pytest -rP", f"{HEADER}{HEADER}1 passed in 0.01s\n\n===== 3 passed in 0.12s =====\n"),
    "unittest": ("python -m unittest", "...\n----\nRan 3 tests in 0.001s\n\nOK\n"),
    "cargo": ("cargo test", f"{CARGO}{CARGO_END}running 0 tests\n{CARGO_END}"),
    "PHPUnit": (
        "vendor/bin/phpunit",
        "PHPUnit 10.5.2 by Sebastian Bergmann and contributors.\n\n..\n\nOK (2 tests, 2 assertions)\n",
    ),
    "a program of one's own": ("./check.sh", ""),
    "make": ("make test", "cc a.c\n./a\nok\n"),
    "CTest": ("ctest", "Test project /w/build\n\n100% tests passed, 0 tests failed out of 2\n"),
    "nothing printed by mocha": ("npx mocha -R json -O output=a.json", ""),
}


@pytest.mark.parametrize(("run", "text"), CUT.values(), ids=CUT)
def test_a_run_that_was_ended_midway(run, text):
    assert cut_short(text, run)


@pytest.mark.parametrize(("run", "text"), WHOLE.values(), ids=WHOLE)
def test_a_run_that_came_to_its_end(run, text):
    assert not cut_short(text, run)


NOTHING = {
    "make": ("test", "make: 'test' is up to date.\n"),
    "make below": ("test", "make[1]: Entering directory '/w/a'\nmake[1]: Nothing to be done for 'test'.\n"),
    "make in German": ("test", "make: F\u00fcr das Ziel \u201etest\u201c ist nichts zu tun.\n"),
    "make, another kind": ("other", "make: Nothing to be done for 'check'.\n"),
    "task": ("test", 'task: Task "test" is up to date\n'),
    "ninja": ("test", "ninja: no work to do.\n"),
    "CTest": ("test", "Test project /w/build\nNo tests were found!!!\n"),
    "jest": ("test", "No tests found, exiting with code 0\n"),
    "vitest": ("test", "\nNo test files found, exiting with code 0\n"),
    "mocha": ("test", "\n\n  0 passing (1ms)\n"),
    "rspec": ("test", "No examples found.\n\n0 examples, 0 failures\n"),
    "PHPUnit": ("test", "PHPUnit 10.5\n\nNo tests executed!\n"),
    "Maven": ("test", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n"),
    "Maven, none": ("test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"),
    "Gradle": ("test", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"),
    "Gradle, skipped": ("test", "> Task :app:test SKIPPED\n\nBUILD SUCCESSFUL in 1s\n"),
    ".NET": ("test", "No test matches the given testcase filter `x` in /w/a.dll\n"),
    "nox": ("test", "nox > Session tests-3.9 skipped: Python interpreter 3.9 not found.\n"),
    "ruff": ("lint", "warning: No Python files found under the given path(s)\nAll checks passed!\n"),
    "mypy": ("types", "Success: no issues found in 0 source files\n"),
    "pyright": ("types", "No source files found.\n0 errors, 0 warnings, 0 informations\n"),
    "black": ("lint", "No Python files are present to be formatted. Nothing to do\n"),
}
SOMETHING = {
    "a build that is up to date": ("build", "make: Nothing to be done for 'all'.\n"),
    "make and a silent recipe": ("test", "make: Entering directory '/w/a'\nmake: Leaving directory '/w/a'\n"),
    "make and a test": ("test", "make: Nothing to be done for 'build'.\n3 passed in 0.1s\n"),
    "silence": ("test", ""),
    "Gradle that knows it": ("test", "> Task :test UP-TO-DATE\n> Task :integrationTest SKIPPED\nBUILD SUCCESSFUL\n"),
    "Maven, one module without": ("test", "[INFO] No tests to run.\n[INFO] Tests run: 4, Failures: 0, Errors: 0\n"),
    "nox, one of two": ("test", "nox > Session tests-3.9 skipped: x\nnox > Session tests-3.12 was successful.\n"),
    "ruff": ("lint", "All checks passed!\n"),
}


@pytest.mark.parametrize(("kind", "text"), NOTHING.values(), ids=NOTHING)
def test_nothing_ran(kind, text):
    assert nothing_ran(text, kind)


@pytest.mark.parametrize(("kind", "text"), SOMETHING.values(), ids=SOMETHING)
def test_something_ran(kind, text):
    assert not nothing_ran(text, kind)


EXITS = (
    "import os\n\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    os._exit(0)\n\n\ndef test_c():\n    assert False\n"
)
REAL = {
    "a test that ends the runner": ("python -m pytest -q -p no:cacheprovider", {"test_a.py": EXITS}, "INCONCLUSIVE"),
    "a folder named like the target": ("make test", {"Makefile": "test:\n\tfalse\n", "test/a.txt": ""}, "NOT RUN"),
    "an error that make ignores": ("make test", {"Makefile": "test:\n\t-@exit 3\n"}, "INCONCLUSIVE"),
    "no test of node": ("printf 'TAP version 13\\n1..0\\n# tests 0\\n# pass 0\\n'", {}, "NOT RUN"),
    "no test of go": (
        'echo \'{"Action":"start","Package":"a"}\'; echo \'{"Action":"skip","Package":"a"}\'',
        {},
        "NOT RUN",
    ),
    "what make would do": ("make -n test", {"Makefile": "test:\n\tfalse\n"}, "NOT RUN"),
    "a script that is not there": ("npm run --if-present test", {"package.json": '{"scripts": {}}'}, "NOT RUN"),
    "a plan that was not kept": ("printf 'TAP version 13\\n1..2\\nok 1 - a\\n'", {}, "INCONCLUSIVE"),
}


STARTED = {
    "a script that is there": ("npm run test --if-present", "\n> test\n> jest\n\n"),
    "a silent one": ("npm run -s --if-present test", ""),
    "make and another": ("make -n all && make test", ""),
    "make": ("make test", "rm -n a\n"),
}


@pytest.mark.parametrize(("run", "text"), STARTED.values(), ids=STARTED)
def test_what_was_started(run, text):
    assert not not_started(text, run, "test")


@pytest.mark.parametrize(("run", "files", "result"), REAL.values(), ids=REAL)
def test_exit_0_is_no_pass_by_itself(repo, run, files, result):
    for path, text in files.items():
        repo.write(path, text)
    repo.write("passdown.toml", f'[checks.tests]\nrun = {json.dumps(run)}\nkind = "test"\n').commit()
    desk = Desk(repo)
    assert desk.check().result == result
    assert desk.stand().class_ == "OBSERVED"
