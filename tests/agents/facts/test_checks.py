# ruff: noqa: E501, RUF001 - outputs and commands stand as they are
"""What came out of a check: the exit code first, the output only where no exit code speaks."""

from __future__ import annotations

import pytest

PYTEST_FAIL = """
=================================== FAILURES ===================================
_________________________________ test_total __________________________________
    def test_total():
>       assert total([1, 2]) == 4
E       assert 3 == 4
tests/test_sum.py:7: AssertionError
=========================== short test summary info ============================
FAILED tests/test_sum.py::test_total - assert 3 == 4
========================= 1 failed, 11 passed in 0.12s =========================
"""
PYTEST_PASS = "............ [100%]\n12 passed in 0.10s\n"
GO_PASS = "ok  \texample.org/a\t0.2s\n?   \texample.org/b\t[no test files]\n"
GO_FAIL = "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL\nFAIL\texample.org/a\t0.2s\nFAIL\n"
NOISY = "error: Database connection failed\n  expected failure logged\n 1351 pass\n 0 fail\nRan 1351 tests across 61 files.\n"
TSC = "src/a.ts(3,1): error TS2322: Type 'string' is not assignable to type 'number'.\n"


@pytest.mark.parametrize(
    ("command", "output", "code", "result"),
    [
        ("pytest", PYTEST_PASS, 0, "PASSED"),
        ("pytest", PYTEST_FAIL, 1, "FAILED"),
        ("bun run test", NOISY, 0, "PASSED"),  # passing output has error lines
        ("cargo test", "", 101, "FAILED"),
        ("pytest", "bash: line 1: pytest: command not found", 127, "ERROR"),
        ("pytest", "/usr/bin/python3: No module named pytest", 1, "ERROR"),
        ("npm test", 'npm error Missing script: "test"', 1, "ERROR"),
        ("make test", "make: *** No rule to make target 'test'.  Stop.", 2, "ERROR"),
        (
            "pytest tests/nope.py",
            "ERROR: file or directory not found: tests/nope.py\n\nno tests ran in 0.00s",
            4,
            "ERROR",
        ),
        ("pytest --wat", "usage: pytest [options]\npytest: error: unrecognized arguments: --wat", 4, "ERROR"),
        ("cd web && npm test", "bash: line 1: cd: web: No such file or directory", 1, "ERROR"),
        ("timeout 60 pytest", "Command timed out after 60s", 124, "ERROR"),
        ("pytest", "Exit code 143\nCommand timed out after 2m 0.0s", 143, "ERROR"),
        ("go test ./...", "go: go.mod file not found in current directory", 1, "ERROR"),
        ("bun run lint", 'Found 1 error.\nerror: script "lint" exited with code 1', 1, "FAILED"),
        # masked: only what the output says without doubt
        ("pytest | tail -3", PYTEST_PASS, 0, "PASSED"),
        ("pytest 2>&1 | tail -3", PYTEST_FAIL, 0, "FAILED"),
        ("pytest || true", PYTEST_FAIL, 0, "FAILED"),
        ("pytest -q | head -3", "...........", 0, None),
        ("pytest | grep -c passed", "1", 0, None),
        ("npm run build 2>&1 | tail -1", "", 0, None),
        ("go build ./... 2>&1 | head -50", "", 0, "PASSED"),
        ("go build ./... 2>&1 | head -50", "(Bash completed with no output)", 0, "PASSED"),
        ("go build ./... > log 2>&1; true", "", 0, None),
        ("go build ./... 2>&1 | grep -c error", "", 0, None),
        ("go test ./... | tail -5", GO_PASS, 0, "PASSED"),
        ("go test ./... | tail -5", GO_FAIL, 0, "FAILED"),
        ("npx tsc --noEmit | head", TSC, 0, "FAILED"),
        ("bun run typecheck | tail -3", "$ tsc --noEmit\n", 0, "PASSED"),
        ("bun run test | tail -3", "$ bun test src/\n", 0, None),
        ('pytest > log; echo "EXIT: $?"', "EXIT: 1", 0, "FAILED"),
        ('pytest > log; echo "EXIT: $?"', "EXIT: 0", 0, "PASSED"),
        ('pytest | grep -v "^ok" | head; echo "EXIT: $?"', "EXIT: 0", 0, None),
        ("pytest; npm test | cat", PYTEST_PASS, 0, None),
        # one exit code for several programs
        ("ruff check . && pytest", PYTEST_FAIL, 1, "FAILED"),
        ("pytest && npm publish", PYTEST_PASS + "npm error 403 Forbidden", 1, "PASSED"),
        ("npm ci && npm test", "added 3 packages", 1, None),
        # exit codes that the client did not keep
        ("pytest", PYTEST_FAIL, None, "FAILED"),
        ("pytest", "Error", None, None),
        # a tool that ends with 0 and says otherwise
        ("npm run test:eval", "RESULT: FAIL (0/1 scored >= 80%)", 0, "FAILED"),
        ("npm run test:eval", "RESULT: PASS (1/1)", 0, "PASSED"),
    ],
)
def test_result(story, command: str, output: str, code: int | None, result: str | None) -> None:
    ok = False if code is None else code == 0
    (check,) = story.runs(command, output, code, ok=ok).facts().checks
    assert check.result == result


@pytest.mark.parametrize("command", ["grep -rn pytest .", "rg TODO", "gh pr checks 12", "git diff --exit-code"])
def test_no_match_and_pending_are_failed_commands_and_no_failed_checks(story, command: str) -> None:
    facts = story.runs(command, "", 1).runs(command, "", 8).facts()
    assert [c.ok for c in facts.commands] == [False, False]
    assert (facts.checks, facts.dead_ends) == ([], [])


def test_a_search_in_a_check_that_found_nothing_says_nothing(story) -> None:
    (check,) = story.runs("pytest | grep FAILED", "", None, ok=False, no_match=True).facts().checks
    assert (check.result, check.masked) == (None, True)


def test_what_was_cancelled_beside_another_could_not_run_and_what_was_refused_is_no_check(story) -> None:
    story.runs("npm test", "<tool_use_error>Sibling tool call errored</tool_use_error>", None, executed=False)
    story.runs("npm run lint", "The user doesn't want to proceed with this tool use.", None, executed=False)
    facts = story.facts()
    assert [(c.command, c.result) for c in facts.checks] == [("npm test", "ERROR")]
    assert [c.ok for c in facts.commands] == [None, None]


def test_a_check_that_still_runs_has_no_result(story) -> None:
    facts = story.runs("npm test", "", None, running=True).facts()
    assert [c.result for c in facts.checks] == [None]
    assert [b.command for b in facts.background] == ["npm test"]


def test_counts_failing_ids_and_their_first_error(story) -> None:
    (check,) = story.runs("pytest", PYTEST_FAIL, 1).facts().checks
    assert (check.counts.passed, check.counts.failed) == (11, 1)
    assert check.first_errors == {"tests/test_sum.py::test_total": "assert 3 == 4"}
    assert check.error_line == "assert 3 == 4"


HOOK = "[WARNING] Unstaged files detected.\nruff.....................................................................Passed\npytest (unit tests)......................................................{}\ntrim trailing whitespace.................................................Passed\n"


@pytest.mark.parametrize(
    ("command", "output", "code", "found"),
    [
        ("git commit -m x", HOOK.format("Passed") + "[main 1a2b3c4] x\n 1 file changed", 0, [("test", "PASSED")]),
        ("git commit -m x", HOOK.format("Failed"), 1, [("test", "FAILED")]),
        (
            "git push",
            "> app@1.0.0 lint\n> eslint .\n\nTo example.org:a/b.git\n   1a2b3c4..5d6e7f8  main -> main",
            0,
            [("lint", "PASSED")],
        ),
        (
            "git commit -m x",
            "$ bun test src/\n 12 pass\n 0 fail\n$ tsc --noEmit\nsrc/a.ts(1,1): error TS1: x",
            1,
            [("types", "FAILED")],
        ),
        ("git commit -m 'run pytest'", "[main 1a2b3c4] run pytest\n 1 file changed", 0, []),
        ("git commit -m x", "trim trailing whitespace.......................................Passed", 0, []),
        (
            "git commit -m x",
            "mypy.............................................(no files to check)Skipped\n[main 1a2b3c4] x",
            0,
            [],
        ),
        ("git push", "Everything up-to-date", 0, []),
        ("git status", HOOK.format("Passed"), 0, []),
    ],
)
def test_checks_inside_git_hooks_only_where_the_output_shows_them(story, command, output, code, found) -> None:
    assert [(c.kind, c.result) for c in story.runs(command, output, code).facts().checks] == found


@pytest.mark.parametrize(
    ("path", "edited"),
    [
        ("src/a.py", True),
        ("CHANGELOG.md", True),
        ("/home/dev/app/b.py", True),
        ("/tmp/x.py", False),
        ("/home/dev/.claude/plans/p.md", False),
    ],
)
def test_edits_after_a_check(story, path: str, *, edited: bool) -> None:
    (check,) = (
        story.writes("src/early.py")
        .runs("pytest", PYTEST_PASS)
        .writes(path)
        .writes("src/refused.py", ok=False)
        .facts()
        .checks
    )
    assert check.edits_after is edited


HOOKED = {
    "husky + lint-staged ok": (
        "git commit -m x",
        "[STARTED] Preparing lint-staged...\n[COMPLETED] Preparing lint-staged...\n[STARTED] Running tasks for staged files...\n[STARTED] eslint --fix\n[COMPLETED] eslint --fix\n[COMPLETED] Running tasks for staged files...\n[main 1a2b3c4] x\n 1 file changed\n",
        0,
        [("lint", "PASSED")],
    ),
    "husky + lint-staged fail": (
        "git commit -m x",
        "[STARTED] eslint --fix\n[FAILED] eslint --fix [FAILED]\n✖ eslint --fix:\n\n/home/dev/app/a.js\n  1:1  error  x  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\nhusky - pre-commit script failed (code 1)\n",
        1,
        [("lint", "FAILED")],
    ),
    "husky npm test": (
        "git commit -m x",
        "> app@1.0.0 test\n> vitest run\n\n Test Files  2 passed (2)\n      Tests  12 passed (12)\n[main 1a2b3c4] x\n",
        0,
        [("test", "PASSED")],
    ),
    "husky npm test fails": (
        "git push",
        "> app@1.0.0 test\n> vitest run\n\n FAIL  src/a.test.ts > adds\n      Tests  1 failed | 11 passed (12)\nhusky - pre-push script failed (code 1)\nerror: failed to push some refs to 'x'\n",
        1,
        [("test", "FAILED")],
    ),
    "pre-commit": (
        "git commit -m x",
        "ruff (legacy alias)......................................................Passed\nmypy.....................................................................Failed\n- hook id: mypy\n- exit code: 1\n\na.py:1: error: x\n",
        1,
        [("types", "FAILED")],
    ),
    "pre-commit uv": (
        "git commit -m x",
        "[INFO] Initializing environment for x.\ncheck yaml...........................................(no files to check)Skipped\nruff check...............................................................Passed\nruff format..............................................................Passed\npytest-fast..............................................................Passed\n[main 1a2b3c4] x\n",
        0,
        [("test", "PASSED")],
    ),
    "lefthook ok": (
        "git commit -m x",
        "╭──────────────────────────────────────╮\n│ 🥊 lefthook v1.7.0  hook: pre-commit │\n╰──────────────────────────────────────╯\n┃  lint ❯ \n\n┃  test ❯ \n\n12 passed in 0.1s\n\n  ────────────────────────────────────\nsummary: (done in 1.20 seconds)       \n✔️  lint\n✔️  test\n[main 1a2b3c4] x\n",
        0,
        [("test", "PASSED")],
    ),
    "lefthook new": (
        "git push",
        "┃  typecheck ❯ \n\nsummary: (done in 3.20 seconds)\n✔️ typecheck (2.10 seconds)\n🥊 lint (0.50 seconds): exit status 1\nerror: failed to push some refs\n",
        1,
        [("lint", "FAILED")],
    ),
    "set -x hook": (
        "git commit -m x",
        "+ ruff check .\nAll checks passed!\n+ pytest -q\n12 passed in 0.1s\n[main 1a2b3c4] x\n",
        0,
        [("test", "PASSED")],
    ),
    "echoed hook": (
        "git commit -m x",
        "Running tests...\n12 passed in 0.10s\n[main 1a2b3c4] x\n",
        0,
        [("test", "PASSED")],
    ),
    "cargo hook": (
        "git push",
        "    Finished `test` profile [unoptimized] target(s) in 0.1s\n     Running unittests src/lib.rs\ntest result: ok. 3 passed; 0 failed; 0 ignored\nTo x\n   1a2b3c4..5d6e7f8  main -> main\n",
        0,
        [("test", "PASSED")],
    ),
    "go hook fail": (
        "git push",
        "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL\nFAIL\texample.org/a\t0.2s\nerror: failed to push some refs\n",
        1,
        [("test", "FAILED")],
    ),
    "overcommit": (
        "git commit -m x",
        "Running pre-commit hooks\nAnalyzing with RuboCop......................................[RuboCop] OK\nRun rspec...................................................[RSpec] FAILED\n\n✗ One or more pre-commit hooks failed\n",
        1,
        [("test", "FAILED")],
    ),
    "no verify": ("git commit --no-verify -m x", "[main 1a2b3c4] x\n 12 files changed\n", 0, []),
    "message with passed": (
        "git commit -m 'make 12 passed'",
        "[main 1a2b3c4] make 12 passed\n 1 file changed\n",
        0,
        [],
    ),
    "push ci remote": (
        "git push",
        "remote: Resolving deltas: 100% (3/3), done.\nremote: \nremote: Running tests... 12 passed\nTo x\n   1a2b3c4..5d6e7f8  main -> main\n",
        0,
        [],
    ),
}


@pytest.mark.parametrize("name", HOOKED)
def test_what_other_hook_managers_and_plain_hooks_show(story, name: str) -> None:
    command, output, code, found = HOOKED[name]
    assert [(c.kind, c.result) for c in story.runs(command, output, code).facts().checks] == found
