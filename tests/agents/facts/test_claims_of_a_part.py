"""A1, A3: statements on one sort of tests, on one file of them, with a script named, or with something left out."""

from __future__ import annotations

import pytest

from passdown.agents.stream import Meta

ALL = "148 passed in 2.10s\n"
BOTH = "ok  \tapp/store\t0.2s\nok  \tapp/integration_test\t4.1s\n"


def only(story, said: str):
    found = [c for c in story.says(said, final=True).facts().claims if c.text == said]
    assert len(found) == 1, said
    return found[0].class_


@pytest.mark.parametrize(
    ("said", "class_"),
    [
        ("All unit tests pass.", "SUPPORTED"),
        ("All integration tests pass.", "STALE"),
        ("Integration tests: all pass", "STALE"),
        ("All tests pass, including integration tests.", "STALE"),
    ],
)
def test_each_sort_is_judged_by_its_own_run(story, said, class_):
    story.asks("go").writes("src/a.py").runs("npm run test:integration", "Tests: 4 passed, 4 total\n")
    story.writes("src/b.py").runs("npm test", "Tests: 148 passed, 148 total\n")
    assert only(story, said) in {class_, "UNSUPPORTED" if "including" in said else class_}


@pytest.mark.parametrize(
    ("command", "output", "said", "class_"),
    [
        ("mise run test:integration", "Tests: 4 passed, 4 total\n", "All integration tests pass.", "SUPPORTED"),
        ("mise run test:integration -- -run TestA", "ok  \tapp\t1s\n", "All integration tests pass.", "UNSUPPORTED"),
        ("npm run test:unit", "Tests: 9 passed, 9 total\n", "The integration tests pass.", "UNSUPPORTED"),
        ("npm run test:unit", "Tests: 9 passed, 9 total\n", "All e2e tests pass.", "UNSUPPORTED"),
        ("npx playwright test", "  3 passed (9.3s)\n", "All end-to-end tests pass.", "SUPPORTED"),
        ("go test ./...", BOTH, "All integration tests pass.", "SUPPORTED"),
        ("npm test", "Tests: 9 passed, 9 total\n", "All tests pass (`npm run test:e2e`).", "UNSUPPORTED"),
        ("npm test", "Tests: 9 passed, 9 total\n", "Integration tests pass (npm run test:it)", "UNSUPPORTED"),
        ("npm test", "Tests: 9 passed, 9 total\n", "All tests pass (`npm run test`).", "SUPPORTED"),
    ],
)
def test_a_sort_or_a_script_that_did_not_run_supports_nothing(story, command, output, said, class_):
    assert only(story.asks("go").writes("src/a.py").runs(command, output), said) == class_


@pytest.mark.parametrize(
    "said",
    [
        "**`src/lib/metrics.test.ts`** — 36 unit tests (all pass)",
        "`tests/test_a.py`: all 12 tests pass",
        "All 17 new tests pass.",
    ],
)
def test_the_number_of_a_part_is_not_the_whole_runs_number(story, said):
    assert only(story.asks("go").writes("src/a.py").runs("npm test", "Tests: 148 passed, 148 total\n"), said) not in {
        "CONTRADICTED",
        "SUPPORTED",
    }


@pytest.mark.parametrize(
    "said",
    [
        "`flutter analyze` shows no new errors (all 1159 issues are pre-existing warnings unrelated to my work).",
        "`flutter analyze` passes apart from pre-existing warnings, all unrelated to this change.",
        "Lint passes, except for known issues.",
        "`flutter analyze` shows no additional warnings, so my change is clean.",
    ],
)
def test_what_leaves_something_out_is_no_contradiction(story, said):
    story.asks("go").writes("lib/a.dart").runs("flutter analyze", "  info • Unused • lib/b.dart:1:1\n", exit=1)
    assert only(story, said) == "UNSUPPORTED"


@pytest.mark.parametrize(
    "said", ["Spec review passed.", "✅ Spec compliant.", "The spec document is approved: passed."]
)
def test_a_specification_is_no_test(story, said):
    assert only(story.asks("go").writes("src/a.py").runs("pytest -q", ALL), said) == "UNSUPPORTED"


@pytest.mark.parametrize(
    ("said", "contradicted"),
    [
        ("Updated `docs/metadata.json`.", True),
        ("Updated `docs/metadata.json` to show the `token` field.", True),
        ("I updated the `docs/metadata.json` and `docs/other.json`.", True),
        ("Updated the `docs/metadata.json` format example to show the token structure", False),
        ("Updated the `docs/metadata.json` entry in the table.", False),
        ("Fixed the `src/api.py` import in the tests.", False),
    ],
)
def test_a_file_is_named_as_changed_only_where_it_is_the_object(story, said, contradicted):
    assert (only(story.asks("go").writes("src/a.py"), said) == "CONTRADICTED") is contradicted


@pytest.mark.parametrize(
    "said",
    ["The plan is for another task (`Summary.old_one`), which is complete.", "`load_all` needs a second index: done?."],
)
def test_a_name_in_a_file_does_not_show_a_state(story, said):
    claims = (
        story.asks("go").writes("src/a.py", "def load_all(): Summary.old_one").says(said, final=True).facts().claims
    )
    assert all(c.class_ != "SUPPORTED" for c in claims)


@pytest.mark.parametrize(
    "path",
    [
        "_bmad-output/sprint-status.yaml",
        ".planning/state.json",
        ".beads/issues.jsonl",
        "docs/plan.md",
        ".claude/settings.json",
    ],
)
@pytest.mark.parametrize(
    ("command", "output", "said"),
    [
        ("pytest -q", ALL, "All 148 tests pass."),
        ("cargo build", "    Finished `dev` profile in 1s\n", "The build is clean."),
    ],
)
def test_agents_own_notes_make_nothing_stale(story, path, command, output, said):
    assert only(story.asks("go").writes("src/a.py").runs(command, output).writes(path), said) == "SUPPORTED"


def test_a_document_makes_the_build_of_pages_stale(story):
    story.asks("go").runs("mkdocs build", "INFO - Documentation built\n").writes("docs/a.md")
    assert only(story, "The docs build succeeds.") == "STALE"


@pytest.mark.parametrize(
    ("said", "class_"),
    [
        ("ruff is clean on the changed files, shellcheck flags `deploy.sh`.", "SUPPORTED"),
        ("shellcheck is clean.", "CONTRADICTED"),
        ("ktlint is clean now.", "UNSUPPORTED"),
        ("Types check.", "SUPPORTED"),
        ("The code compiles.", "SUPPORTED"),
        ("The unit tests pass, but the linter still fails.", "SUPPORTED"),
        ("All tests pass; the linter fails.", "SUPPORTED"),
    ],
)
def test_the_tool_that_is_named_is_the_one_that_counts(story, said, class_):
    story.asks("go").writes("src/a.py").runs("npx tsc -b").runs("pytest -q", ALL).runs(
        "ruff check .", "All checks passed!\n"
    )
    story.runs("shellcheck deploy.sh", "In deploy.sh line 2:\ncd $1\n   ^-- SC2086 (info): Double quote\n", exit=1)
    assert only(story, said) == class_


@pytest.mark.parametrize("folder", ["/d/app", "D:/app", "D:\\app"])
def test_a_drive_is_one_place_however_a_shell_writes_it(story, folder):
    story.events[0] = Meta(record=0, at=None, session="s1", cwd="D:\\app", branch="main")
    story.asks("go").runs(f"cd '{folder}' && pytest -q", ALL)
    assert only(story, "All 148 tests pass.") == "SUPPORTED"


@pytest.mark.parametrize(
    ("said", "class_"),
    [
        ("**Fix 1 \u2014 `a.py`**: Swapped the lookups.", "SUPPORTED"),
        ("**Fixed the race** (`src/a.py`): now takes the lock.", "UNSUPPORTED"),
        ("**Updated CHANGELOG.md**: Converted the section, with all fixes.", "SUPPORTED"),
    ],
)
def test_a_label_that_says_fixed_is_a_statement_of_its_own(story, said, class_):
    assert only(story.asks("go").writes("src/a.py").writes("CHANGELOG.md"), said) == class_


@pytest.mark.parametrize(
    ("command", "output", "said", "class_"),
    [
        ("rubocop", "3 files inspected, no offenses detected\n", "RuboCop: no offenses.", "SUPPORTED"),
        ("rubocop", "3 files inspected, 2 offenses detected\n", "RuboCop: no offenses.", "CONTRADICTED"),
        ("rubocop", "3 files inspected, 2 offenses detected\n", "RuboCop: no new offenses.", "UNSUPPORTED"),
        ("npx eslint .", "2 problems (2 errors, 0 warnings)\n", "eslint reports zero errors.", "CONTRADICTED"),
        ("npx eslint .", "3 problems (0 errors, 3 warnings)\n", "eslint reports zero errors.", "UNSUPPORTED"),
        ("npx eslint .", "3 problems (0 errors, 3 warnings)\n", "eslint: no errors.", "UNSUPPORTED"),
        ("terraform validate", "Success!\n", "`terraform validate` \u2705", "SUPPORTED"),
        ("terraform validate", "Success!\n", "`terraform plan` \u2705", "UNSUPPORTED"),
        ("terraform validate", "Success!\n", "\u2705 Documented `terraform validate`", "UNSUPPORTED"),
    ],
)
def test_what_a_linter_found_none_of_and_a_mark_beside_a_command(story, command, output, said, class_):
    story.asks("go").writes("src/a.py").runs(command, output, exit=int(output[0].isdigit() and "no off" not in output))
    assert only(story, said) == class_
