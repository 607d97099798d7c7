# ruff: noqa: E501 - lines stand as tools print them
"""E: results of checks whose exit code is hidden, told by what the line shows of them."""

from __future__ import annotations

import pytest

GO_BAD = "# app/store\nstore/a_test.go:1403:51: not enough arguments in call to open\n\thave (string)\n\twant (string, int)\n"


@pytest.mark.parametrize(
    ("command", "output", "result"),
    [
        # an echo of plain words in the line is no output of the check
        ("go build -o /tmp/x . 2>&1 | tail -30 && echo BUILD_OK", "BUILD_OK\n", "PASSED"),
        ('go vet ./... 2>&1 | head -5; echo "=== done ==="', "=== done ===\n", "PASSED"),
        ("go build ./... 2>&1 | tail -30 && echo BUILD_OK", f"{GO_BAD}BUILD_OK\n", "FAILED"),
        # CHECK && echo YES || echo NO
        ("pytest -q > /dev/null 2>&1 && echo PASS || echo FAIL", "PASS\n", "PASSED"),
        ("pytest -q > /dev/null 2>&1 && echo PASS || echo FAIL", "FAIL\n", "FAILED"),
        ("mvn -q test >/tmp/log 2>&1 && echo green || echo red", "red\n", "FAILED"),
        ("cd app && npx tsc --noEmit && echo 'types ok'; ls", "types ok\nsrc\n", "PASSED"),
        ("pytest -q | tail -3 && echo PASS || echo FAIL", "1 failed, 2 passed in 1s\nPASS\n", "FAILED"),
        # what passed was filtered out
        ('go test ./... 2>&1 | grep -vE "^ok|no test files" | head -20', "", "PASSED"),
        ('go test ./... 2>&1 | grep -v "^ok" | grep -v "no test files"', "", "PASSED"),
        ('go test ./... 2>&1 | grep -v "vendor"', "", None),
        ("go test ./... 2>&1 | grep -v '^ok'", "--- FAIL: TestA (0.00s)\nFAIL\tapp\t0.1s\n", "FAILED"),
        # a silent tool that names places
        ("go vet ./... 2>&1 | head -20", "# app\nvet: store/a.go:3:2: undefined: x\n", "FAILED"),
        ("go vet ./... 2>&1 | tail -20", "vet.exe: store\\a_test.go:3:2: cannot use x (variable of type string)\n", "FAILED"),
        ("go test -c ./store 2>&1 | head -20", GO_BAD, "FAILED"),
        # several checks, each with its own sign
        ("golangci-lint run ./... 2>&1 | tail -4 && go test ./... 2>&1 | tail -4", "0 issues.\nok  \tapp\t0.4s\n", "PASSED"),
        ("go build ./... 2>&1 | tail -30 && go test ./a/... 2>&1 | tail -30", "ok  \tapp/a\t0.4s\n", "PASSED"),
        ("gofmt -l . ; go test ./a/... 2>&1 | tail -3", "a/b.go\nok  \tapp/a\t0.4s\n", None),
        ("golangci-lint run ./... 2>&1 | tail -4 && go test ./... 2>&1 | tail -4", "0 issues.\n", None),
        # other runners
        ("flutter test test/a 2>&1 | tail -2", "00:05 +12: x shows y\n00:05 +13: All tests passed!\n", "PASSED"),
        ("flutter test 2>&1 | tail -2", "00:05 +12 ~1 -1: Some tests failed.\n", "FAILED"),
        ("flutter analyze 2>&1 | tail -3", "  error • Undefined name • lib/a.dart:1:2 • undefined\n\n3 issues found.\n", "FAILED"),
        ("dart analyze lib/a.dart 2>&1 | head -3", "Analyzing a.dart...\nNo issues found!\n", "PASSED"),
        ("pnpm --filter core build 2>&1 | tail -3", "CJS ⚡️ Build success in 58ms\nDTS ⚡️ Build success in 9ms\n", "PASSED"),
        ("golangci-lint run --bad 2>&1 | head", "Error: unknown flag: --bad\nThe command is terminated due to an error: unknown flag: --bad\n", "ERROR"),
    ],
)  # fmt: skip
def test_a_hidden_exit_code_is_made_good_by_the_output(story, command, output, result):
    assert [c.result for c in story.asks("go").runs(command, output).facts().checks] == [result]


@pytest.mark.parametrize(
    "last",
    ["husky - pre-commit script failed (code 1)", "husky - pre-push hook exited with code 1 (error)"],
)
def test_a_wrapper_of_git_does_not_make_a_failed_hook_pass(story, last):
    output = f'$ bun test src/\n 1392 pass\n 6 fail\nRan 1398 tests across 68 files. [3.52s]\nerror: script "test" exited with code 1\n{last}\n'
    assert [c.result for c in story.asks("go").runs("rtk git commit -m x", output).facts().checks] == ["FAILED"]


@pytest.mark.parametrize(
    ("command", "output", "code", "result"),
    [
        ("npx prettier --check . || true", "[warn] src/a.ts\n[warn] Code style issues found in the above file.\n", 0, "FAILED"),
        ("cargo fmt --check || true", "Diff in /app/src/lib.rs:3:\n-  1\n+    1\n", 0, "FAILED"),
        ("black --check . || true", "2 files would be reformatted, 1 file would be left unchanged.\n", 0, "FAILED"),
        ("cmake --build build 2>&1 | tail -2", "[100%] Linking CXX executable a\n[100%] Built target a\n", 0, "PASSED"),
        ("npx nx affected -t test 2>&1 | tail -3", " NX   Successfully ran target test for 4 projects (12s)\n", 0, "PASSED"),
        ("timeout 300 npx playwright test", "Running 12 tests using 2 workers\n", 124, "ERROR"),
    ],
)  # fmt: skip
def test_further_tools_and_a_limit_of_time(story, command, output, code, result):
    assert [c.result for c in story.asks("go").runs(command, output, exit=code).facts().checks] == [result]
