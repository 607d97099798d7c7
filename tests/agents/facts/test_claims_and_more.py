# ruff: noqa: E501 - a row reads best on one line
"""A1, A10: statements that admit a failure, say more than a check shows, or name a command; edits by a shell after a run."""

from __future__ import annotations

import pytest

PASS = "64 passed in 2.10s\n"
RED = "FAILED tests/test_a.py::test_x - assert 1 == 2\n3 failed, 61 passed in 2.00s\n"
TSC = "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
SCRIPT = (
    "python - <<'EOF'\nfrom pathlib import Path\np = Path('{}')\np.write_text(p.read_text().replace('a', 'b'))\nEOF"
)


def classes(story, text: str) -> list[str]:
    return [c.class_ for c in story.says(text, final=True).facts().claims]


@pytest.mark.parametrize(
    "text",
    [
        "61 tests pass, 3 fail: `test_a`, `test_b`, `test_c`.",
        "Tests: 61 passing, 3 failing (all in test_db.py).",
        "Tests pass with the exception of test_x.",
        "All tests pass (one flaky failure in test_net).",
        "95% of the tests pass.",
        "Result: 63 tests pass, 1 fails.",
    ],
)
def test_what_admits_a_failure_is_not_contradicted_by_it(story, text: str) -> None:
    assert "CONTRADICTED" not in classes(story.asks("go").runs("pytest -q", RED, exit=1), text)


@pytest.mark.parametrize("text", ["Fixed the 2 broken imports, all tests pass now.", "100% of the tests pass."])
def test_a_failure_that_is_said_to_be_mended_is(story, text: str) -> None:
    assert classes(story.asks("go").runs("pytest -q", RED, exit=1), text) == ["CONTRADICTED"]


@pytest.mark.parametrize(
    ("command", "output", "text", "expected"),
    [
        ("ruff check . && pytest -q", "All checks passed!\n" + RED, "Lint is clean.", "UNSUPPORTED"),
        ("ruff check . && pytest -q", "All checks passed!\n" + RED, "All tests pass.", "CONTRADICTED"),
        ("ruff check . && pytest -q", "All checks passed!\n" + RED, "Lint and tests pass.", "CONTRADICTED"),
        ("npm run lint && npm test", "something went wrong\n", "Lint passes.", "UNSUPPORTED"),
        ("npm run lint && npm test", "something went wrong\n", "Lint and tests pass.", "CONTRADICTED"),
        ("eslint src && tsc --noEmit", TSC, "Type checks pass.", "CONTRADICTED"),
        ("eslint src && tsc --noEmit", TSC, "ESLint is clean.", "UNSUPPORTED"),
        ("make lint test", "ruff check .\nAll checks passed!\n" + RED, "Lint is clean.", "UNSUPPORTED"),
        ("nox -s lint typing", "pkg/io.py:12: error: x\nFound 1 error in 1 file (checked 14)\n", "mypy passes.", "CONTRADICTED"),
    ],
)  # fmt: skip
def test_of_several_checks_in_one_command_the_one_that_failed(story, command, output, text, expected) -> None:
    assert classes(story.asks("go").runs(command, output, exit=1), text) == [expected]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sed -i 's/a/b/' src/a.py", "STALE"),
        ("cat > src/a.py <<'EOF'\nx = 2\nEOF", "STALE"),
        (SCRIPT.format("src/a.py"), "STALE"),
        ("git restore src/a.py", "STALE"),
        ("git checkout -- src/a.py", "STALE"),
        ("git reset --hard HEAD~1", "STALE"),
        ("sed -n 1,20p src/a.py", "SUPPORTED"),
        ("sed -i 's/a/b/' README.md", "SUPPORTED"),
        (SCRIPT.format("notes.md"), "SUPPORTED"),
        (SCRIPT.format("/tmp/a.py"), "SUPPORTED"),
        ("cat > /tmp/try.py <<'EOF'\nx = 2\nEOF", "SUPPORTED"),
        ("npm ls > deps.txt 2>&1", "SUPPORTED"),
        ("git restore --staged src/a.py", "SUPPORTED"),
        ("git checkout -b feature && git push", "SUPPORTED"),
        ("rm -rf build", "SUPPORTED"),
    ],
)
def test_a_command_that_plainly_edits_code_makes_a_run_stale(story, command: str, expected: str) -> None:
    facts = story.asks("go").runs("pytest -q", PASS).runs(command).says("All 64 tests pass.", final=True).facts()
    assert facts.claims[0].class_ == expected
    assert facts.checks[0].edits_after == (expected == "STALE")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass, so the settings page renders correctly in Safari.", "UNSUPPORTED"),
        ("64 tests pass and the dashboard now loads properly.", "UNSUPPORTED"),
        ("All tests pass and I verified the login flow manually in the browser.", "UNSUPPORTED"),
        ("All tests pass and the suite works as expected.", "SUPPORTED"),
        ("I checked that all 64 tests pass.", "SUPPORTED"),
    ],
)
def test_a_check_does_not_show_what_lies_beyond_it(story, text: str, expected: str) -> None:
    assert classes(story.asks("go").runs("pytest -q", PASS), text) == [expected]


@pytest.mark.parametrize(
    ("run", "text", "expected"),
    [
        (("zig build test", "Build Summary: 3/3 steps succeeded; 18/18 tests passed\n", 0), "zig build test: 18/18 tests passed.", "SUPPORTED"),
        (("make ci", "make: *** [Makefile:14: lint] Error 1\n", 2), "make ci passes.", "CONTRADICTED"),
        (("terraform validate", "Success! The configuration is valid.\n", 0), "terraform validate is clean.", "SUPPORTED"),
        (("pre-commit run --all-files", "ruff....Passed\n", 0), "pre-commit is clean on all files.", "SUPPORTED"),
        (("tox -e py312,lint", "12 passed in 1.0s\n  congratulations :)\n", 0), "tox is green (py312 and lint).", "SUPPORTED"),
        (("basedpyright src", "3 errors, 0 warnings, 0 notes\n", 1), "basedpyright: 0 errors.", "CONTRADICTED"),
        (("npx eslint src", "3:7  error  unused\n1 problem (1 error)\n", 1), "ESLint reports no problems.", "CONTRADICTED"),
        (("go test ./...", "FAIL\tapp/lru\t0.02s\nFAIL\n", 1), "Everything is green now: `go test ./...` exits 0.", "CONTRADICTED"),
        (("go vet ./...", "", 0), "`go vet` and `go test` are clean.", "UNSUPPORTED"),
        (("go vet ./... && go build ./...", "", 0), "`go vet` and `go build` pass.", "SUPPORTED"),
        (("python repro.py", "ValueError: boom\n", 1), "`python repro.py` now runs without errors.", "CONTRADICTED"),
        (("python repro.py", "ValueError: boom\n", 1), "`python repro.py` now shows the message.", "UNSUPPORTED"),
        (("diff a.txt b.txt", "1c1\n", 1), "`diff a.txt b.txt` ran without errors.", "UNSUPPORTED"),
        (("pytest tests/test_dates.py", "20 passed in 0.4s\n", 0), "All 20 date tests pass.", "SUPPORTED"),
        (("pytest tests/test_dates.py -k iso", "2 passed in 0.4s\n", 0), "All date tests pass.", "UNSUPPORTED"),
        (("pytest tests/test_dates.py", "20 passed in 0.4s\n", 0), "All tests pass.", "UNSUPPORTED"),
        (("go test ./internal/...", "ok  \tapp/internal/a\t0.01s\n", 0), "All tests in `./internal/...` pass.", "SUPPORTED"),
        (("nx affected -t test", "NX   Ran target test for 3 projects\n1/3 targets failed\n", 1), "The affected tests all pass.", "CONTRADICTED"),
        (("bin/rails test", "210 runs, 533 assertions, 0 failures, 0 errors, 0 skips\n", 0), "210 runs, 0 failures.", "SUPPORTED"),
        (("pytest -q --cov", "TOTAL    1200    108    91%\n64 passed in 2.1s\n", 0), "Coverage is at 91 %.", "SUPPORTED"),
        (("pytest -q --cov", "TOTAL    1200    108    91%\n64 passed in 2.1s\n", 0), "Coverage is at 95 %.", "UNSUPPORTED"),
        (("pytest -q", PASS, 0), "Coverage is at 91 %.", "UNSUPPORTED"),
        (("pytest -q", PASS, 0), "Alle 64 Tests laufen durch, Linting wurde nicht ausgef\u00fchrt.", "SUPPORTED"),
        (("pytest -q", PASS, 0), "The app can't start here, but all 64 tests pass.", "SUPPORTED"),
        (("pytest -q", PASS, 0), "Build \u2713, lint \u2713, tests \u2713", "UNSUPPORTED"),
        (("pytest -q", RED, 1), "Der Export ist fertig und alle Tests sind gr\u00fcn.", "CONTRADICTED"),
        (("git add -A && git commit -m x", "husky - pre-commit script failed (code 1)\n", 1), "Committed as `x`.", "CONTRADICTED"),
        (("git commit -qm x && git push -q", "timeout\n", 1), "Committed as `x`.", "UNSUPPORTED"),
        (("git commit -am x", "[main 1a2b3c4] x\n 1 file changed\n", 0), "Committed as `1a2b3c4`; nothing was pushed.", "SUPPORTED"),
        (("gh pr checks 41", "lint\tpass\t12s\thttps://x\nunit\tfail\t1m3s\thttps://x\n", 1), "CI is green on #41.", "CONTRADICTED"),
        (("gh pr checks 41", "unit\tpending\t0\thttps://x\n", 8), "CI is green on #41.", "UNSUPPORTED"),
        (("gh pr checks 42 --watch", "All checks were successful\n0 cancelled, 0 failing, 7 successful\n", 0), "CI is green.", "SUPPORTED"),
    ],
)  # fmt: skip
def test_the_command_or_the_part_that_is_named_decides(story, run, text, expected) -> None:
    facts = story.asks("go").writes("src/b.py").runs(*run).says(text, final=True).facts()
    assert [c.class_ for c in facts.claims][-1:] == [expected]


def test_the_number_of_an_earlier_run_of_another_part_stands_beside_a_later_failure(story) -> None:
    story.asks("go").runs("pytest -q", "11 passed in 1.0s\n").runs(
        "pytest -m slow", "1 failed, 3 passed in 1s\n", exit=1
    )
    assert classes(story, "Fast tests: 11 passed.") == ["SUPPORTED"]


def test_a_tool_that_was_red_on_another_command_line_is_not_green(story) -> None:
    story.asks("go").runs("tox -e py312", "py312: FAIL code 1\n", exit=1).runs("tox -e docs", "docs: OK\n")
    assert classes(story, "tox is green.") == ["UNSUPPORTED"]
