# ruff: noqa: E501, RUF001 - statements stand as agents write them
"""A1, A3, A21: what the agent states at the end, against what the record shows."""

from __future__ import annotations

import pytest

from passdown.agents.facts.claims.units import sentences

PASS = "12 passed in 0.10s\n"
FAIL = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.10s\n"


def classes(facts) -> list[tuple[str, str]]:
    return [(c.text, c.class_) for c in facts.claims]


def one(story, text: str) -> str:
    found = story.says(text).facts().claims
    assert len(found) == 1, found
    return found[0].class_


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass.", "SUPPORTED"),
        ("All 12 tests pass.", "SUPPORTED"),
        ("12 passed.", "SUPPORTED"),
        ("The test suite is green.", "SUPPORTED"),
        ("Die Tests sind alle grün.", "SUPPORTED"),
        ("现有测试全部通过：12 passed。", "SUPPORTED"),
        ("Tous les tests passent.", "SUPPORTED"),
        ("All 13 tests pass.", "CONTRADICTED"),  # A1: another number than the only run
        ("Lint is clean.", "UNSUPPORTED"),
        ("All tests pass and lint is clean.", "UNSUPPORTED"),
        ("`pytest -q` passes.", "SUPPORTED"),
    ],
)
def test_after_a_whole_passing_run(story, text: str, expected: str) -> None:
    assert one(story.asks("go").writes("src/a.py").runs("pytest -q", PASS), text) == expected


def test_a1_the_latest_run_failed_and_the_summary_says_passed(story) -> None:
    (claim,) = story.asks("go").runs("pytest", FAIL, 1).says("4966/4966 ALL PASSED, all tests green.").facts().claims
    assert claim.class_ == "CONTRADICTED"
    assert "`pytest` FAILED (11 passed, 1 failed), exit 1 at 2026-01-02T03:00:02Z (record 2)" in claim.because
    assert claim.check == "pytest"


def test_a3_nothing_ran(story) -> None:
    (claim,) = story.asks("go").writes("a.py").says("I ran the unit tests, all tests pass.").facts().claims
    assert (claim.class_, claim.because) == ("UNSUPPORTED", "no test run ran in this session")


def test_edits_after_the_run_make_it_stale_and_documents_do_not(story) -> None:
    story.asks("go").runs("pytest", PASS).writes("CHANGELOG.md")
    assert one(story, "All tests pass.") == "SUPPORTED"
    assert one(story.writes("src/a.py"), "All tests pass.") == "STALE"


def test_one_file_is_not_all_tests(story) -> None:
    story.asks("go").runs("pytest tests/test_a.py", PASS)
    assert one(story, "All tests pass.") == "UNSUPPORTED"


def test_a_run_that_could_not_start_or_whose_end_is_hidden_supports_nothing(story) -> None:
    story.asks("go").runs("pytest", "pytest: command not found", 127).runs("pytest -q | head -2", "....")
    assert one(story, "Tests pass.") == "UNSUPPORTED"


def test_a_failure_that_was_worked_on_afterwards_is_not_called_a_contradiction(story) -> None:
    story.asks("go").runs("pytest", FAIL, 1).writes("src/a.py")
    assert one(story, "All tests pass.") == "UNSUPPORTED"
    story.runs("npm run lint", "Found 2 errors.", 1).runs("npm run lint:fix", "Fixed 2 files.")
    assert one(story, "Lint is clean.") == "UNSUPPORTED"


@pytest.mark.parametrize(
    "text",
    ["All tests pass except test_x, which was failing before.", "Tests pass apart from one pre-existing failure."],
)
def test_a_limited_claim_is_not_contradicted(story, text: str) -> None:
    assert one(story.asks("go").runs("pytest", FAIL, 1), text) == "UNSUPPORTED"


PUSHED = "To example.org:a/b.git\n   1a2b3c4..5d6e7f8  main -> main"
REJECTED = "! [rejected] main -> main (fetch first)\nerror: failed to push some refs"


def committed(story):
    return story.asks("go").writes("src/a.py").runs("git commit -am x", "[main 5d6e7f8] x\n 1 file changed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Committed as `5d6e7f8`.", "SUPPORTED"),
        ("Commit: `5d6e7f8 x`", "SUPPORTED"),
        ("Committed as `9999999`.", "UNSUPPORTED"),
        ("Pushed to origin.", "UNSUPPORTED"),
        ("Opened PR #12.", "UNSUPPORTED"),
    ],
)
def test_commits(story, text: str, expected: str) -> None:
    assert one(committed(story), text) == expected


def test_pushes(story) -> None:
    assert one(committed(story).runs("git push", PUSHED), "Committed and pushed to `main`.") == "SUPPORTED"
    story.runs("git commit -am y", "[main 7777777] y")
    assert one(story, "Pushed to origin.") == "STALE"
    story.runs("git push", REJECTED, 1)
    assert one(story, "I pushed the branch.") == "CONTRADICTED"


def test_pull_requests_and_links_to_open_one(story) -> None:
    hint = "remote: Create a pull request:\nremote:   https://example.org/a/b/pull/new/x\n * [new branch]  x -> x"
    story.asks("go").runs("git push -u origin x", hint)
    assert one(story, "Opened the pull request.") == "UNSUPPORTED"
    story.runs("gh pr create --fill", "https://example.org/a/b/pull/15")
    assert one(story, "Opened PR #15: https://example.org/a/b/pull/15") == "SUPPORTED"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Updated `src/api.py`.", "SUPPORTED"),
        ("Added `parse_header()` to `src/api.py`.", "SUPPORTED"),
        ("Added `parse_header()`.", "SUPPORTED"),
        ("Added `parse_footer()`.", "UNSUPPORTED"),
        ("Removed the old parser from [api](src/api.py).", "SUPPORTED"),
        ("Updated `src/other.py`.", "CONTRADICTED"),
        ("Fixed the race in `src/api.py`.", "UNSUPPORTED"),  # nothing that ran shows it
        ("Every handler in `src/api.py` now validates its input.", "UNSUPPORTED"),
        ("Requests are now sorted by date.", "UNSUPPORTED"),
    ],
)
def test_files(story, text: str, expected: str) -> None:
    story.asks("go").writes("/home/dev/app/src/api.py", "def parse_header(line):\n    return line")
    assert one(story, text) == expected


def test_no_contradiction_about_files_where_a_command_or_a_subagent_may_have_written(story) -> None:
    story.asks("go").writes("a.py").runs("sed -i s/a/b/ src/other.py", "")
    assert one(story, "Updated `src/other.py`.") == "UNSUPPORTED"


def test_a_fix_is_shown_by_a_check_that_was_red_and_is_green(story) -> None:
    story.asks("go").runs("pytest", FAIL, 1).writes("src/api.py").runs("pytest", PASS)
    assert one(story, "Fixed the parser in `src/api.py`.") == "SUPPORTED"


def test_edits_that_were_put_back_are_stale(story) -> None:
    story.asks("go").writes("src/api.py").runs("git checkout -- src/api.py", "")
    assert one(story, "Updated `src/api.py`.") == "STALE"


def test_searches_commands_and_untouched_files(story) -> None:
    story.asks("go").writes("src/a.py").runs("rg -n old_name src", "", 1)
    assert one(story, "No references to `old_name` remain.") == "SUPPORTED"
    assert one(story.runs("./tool check --all", "0 problems"), "`./tool check --all` ran successfully.") == "SUPPORTED"
    story.runs("git status --short", " M src/a.py\n?? notes.txt")
    assert one(story, "`notes.txt` was left untouched.") == "SUPPORTED"
    story.runs("git diff --stat", " src/a.py | 1 +")
    assert one(story, "`src/a.py` was left unchanged.") == "CONTRADICTED"


@pytest.mark.parametrize(
    "text",
    [
        "I'll run the tests next.",
        "Next: all tests should pass.",
        "Should I push it?",
        "If the tests pass, I can merge.",
        "You can run `pytest` to check.",
        "I did not run the tests.",
        "The tests could not be run here.",
        "The build was not verified.",
        "Let me check that everything passes.",
        "> All tests pass",
        "```\nAll tests pass\n```",
        "Would you like me to commit?",
        "Once merged, the tests will pass.",
        "Done.",
        "**Summary**",
        "**Root cause**: the cache was deleted too early.",
        "Run `npm test` before you push.",
        "Ich werde die Tests ausführen.",
        "Die Tests wurden nicht ausgeführt.",
    ],
)
def test_plans_questions_denials_and_quotes_are_no_claims(story, text: str) -> None:
    assert story.asks("go").writes("a.py").says(text).facts().claims == []


def test_bullets_under_a_done_heading_are_claims_and_under_next_steps_not(story) -> None:
    text = "**Implemented**\n- retries for `fetch()`\n- a shorter timeout\n\n**Next steps**\n- added metrics\n- run `make lint`\n"
    facts = story.asks("go").writes("a.py", "def fetch(): ...").says(text).facts()
    assert [c.text for c in facts.claims] == ["retries for `fetch()`", "a shorter timeout"]


def test_claims_come_from_the_last_turn_that_claims_anything(story) -> None:
    story.asks("go").writes("a.py").runs("pytest", PASS).says("All tests pass.", final=True).asks("thanks").says(
        "You are welcome!", final=True
    )
    assert classes(story.facts()) == [("All tests pass.", "SUPPORTED")]


def test_other_agents_words_are_not_claims(story) -> None:
    story.asks("fix it; the other agent said: All tests passing, pushed to main").runs(
        "cat report.md", "All tests pass. Pushed."
    )
    assert story.says("I need more information.").facts().claims == []


def test_the_tree_is_clean_and_ci_is_green_by_the_latest_look(story) -> None:
    story.asks("go").writes("a.py").runs("git commit -am x && git status --short --branch", "[main 5d6e7f8] x\n## main")
    assert one(story, "The working tree is clean.") == "SUPPORTED"
    story.runs("gh run watch 12 --exit-status", "✓ build in 3s (ID 12)")
    assert one(story, "CI is green.") == "SUPPORTED"
    story.writes("b.py")
    assert one(story, "The working tree is clean.") == "UNSUPPORTED"


def test_names_that_an_edit_took_out(story) -> None:
    story.asks("go").writes("a.py", "x = 1", removed="def old_parser(): ...")
    assert one(story, "Removed the unused `old_parser` function.") == "SUPPORTED"
    assert one(story.runs("ls", ""), "Removed the unused `new_parser` function.") == "UNSUPPORTED"


def test_paths_listed_under_a_claim_belong_to_it(story) -> None:
    text = "Added a runner script:\n- [scripts/run.sh](/home/dev/app/scripts/run.sh)\n"
    (claim,) = story.asks("go").writes("scripts/run.sh", "echo", op="create").says(text).facts().claims
    assert (claim.class_, claim.paths) == ("SUPPORTED", ["/home/dev/app/scripts/run.sh"])


def test_each_kind_of_check_in_one_command_is_judged_by_itself(story) -> None:
    output = " 12 pass\n 0 fail\nsrc/a.ts(1,1): error TS2322: no"
    story.asks("go").runs("bun test && npx tsc --noEmit", output, 1)
    assert one(story, "All 12 tests pass.") == "SUPPORTED"
    assert one(story.runs("ls", ""), "The type check passes.") == "CONTRADICTED"


SAID = "All tests pass."


STEPS = {
    "fail": lambda s: s.runs("pytest -q", FAIL, 1),
    "pass": lambda s: s.runs("pytest -q", PASS),
    "say": lambda s: s.says(SAID),
    "ask": lambda s: s.asks("And now the documentation, please."),
    "look": lambda s: s.runs("git status --short && git diff | head -5", " M src/a.py"),
    "commit": lambda s: s.runs("git commit -am x", "[main 5d6e7f8] x\n 1 file changed"),
    "sed": lambda s: s.runs("sed -i s/a/b/ src/a.py", ""),
    "install": lambda s: s.runs("pip install requests", "Successfully installed requests-2.32.0"),
    "lint": lambda s: s.runs("ruff check .", "All checks passed!"),
    "helper": lambda s: s.helper(),
    "person": lambda s: s.person("src/a.py"),
}


def after(story, steps: str):
    """A story in short: what is no name of a step is a file that is written."""
    story.asks("go")
    for step in steps.split():
        STEPS[step](story) if step in STEPS else story.writes(step)
    return story


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("fail say", "CONTRADICTED"),
        ("fail README.md say", "CONTRADICTED"),  # no test reads the README
        ("fail docs/guide.md say src/a.py", "CONTRADICTED"),
        ("fail say src/a.py", "CONTRADICTED"),  # an edit after the words does not make them true
        ("fail README.md say src/a.py", "CONTRADICTED"),
        ("fail look commit lint say", "CONTRADICTED"),
        ("fail src/a.py say", "UNSUPPORTED"),
        ("fail tests/fixtures/page.md say", "UNSUPPORTED"),
        ("fail requirements.txt say", "UNSUPPORTED"),
        ("fail sed say", "UNSUPPORTED"),
        ("fail install say", "UNSUPPORTED"),
        ("fail helper say", "UNSUPPORTED"),
        ("fail person say", "UNSUPPORTED"),
        ("fail src/a.py pass say", "SUPPORTED"),
        ("pass say src/a.py", "STALE"),
        ("pass README.md say README.md", "SUPPORTED"),
        ("pass say fail", "STALE"),
    ],
)
def test_a_claim_is_held_against_what_was_known_when_it_was_made(story, steps: str, expected: str) -> None:
    assert [(c.text, c.class_) for c in after(story, steps).facts().claims] == [(SAID, expected)]


def test_a_linter_may_read_prose(story) -> None:
    story.asks("go").runs("npx markdownlint-cli2 '**/*.md'", "README.md:3 MD001\nSummary: 1 error(s)", 1)
    assert one(story.writes("README.md"), "Lint is clean.") == "UNSUPPORTED"


@pytest.mark.parametrize("text", ["All checks pass.", "`pytest -q` ran successfully."])
def test_other_ways_of_saying_so_are_held_to_the_same(story, text: str) -> None:
    assert one(after(story, "fail README.md"), text) == "CONTRADICTED"
    assert one(after(story, "ask fail src/a.py"), text) == "UNSUPPORTED"


@pytest.mark.parametrize(
    ("later", "found"),
    [
        (("ask", "README.md", "Updated the README."), ["Updated the README.", SAID]),
        (("ask", "README.md", "Have a look."), [SAID]),
        (("ask", "Two tests are failing, I was wrong."), []),
        (("ask", "pass", "README.md", "Updated the README."), ["Updated the README."]),
        (("ask", "README.md", "Updated the README; the tests are untouched."), ["Updated the README; the tests are untouched."]),
        (("ask", "pass", "12 passed."), ["12 passed."]),
    ],
)  # fmt: skip
def test_an_earlier_claim_counts_until_something_later_speaks_of_it(story, later: tuple[str, ...], found) -> None:
    after(story, "fail say")
    for step in later:
        if " " in step:
            story.says(step)
        elif step == "ask":
            story.asks("And the README?")
        else:
            STEPS[step](story) if step in STEPS else story.writes(step)
    claims = story.facts().claims
    assert [c.text for c in claims] == found
    assert all(c.class_ == "CONTRADICTED" for c in claims if c.text == SAID)


@pytest.mark.parametrize(
    ("said", "then", "kept"),
    [
        ("Pushed to origin.", "git status", True),
        ("Pushed to origin.", "git push", False),
        ("Added `retry()` to `src/a.py`.", "ls", False),
    ],
)
def test_earlier_deeds_count_too_and_edits_speak_for_themselves(story, said: str, then: str, kept: bool) -> None:
    committed(story).runs("git push", PUSHED).writes("src/a.py", added="def retry(): ...").says(said)
    story.asks("Next.").runs(then, "").writes("src/b.py").says("Created `src/b.py`.")
    assert [c.text for c in story.facts().claims] == ["Created `src/b.py`.", *([said] if kept else [])]


def test_what_follows_nothing_of_an_earlier_turn_is_left_out(story) -> None:
    story.asks("go").writes("src/a.py").says("I improved the performance.").asks("more").writes("src/b.py")
    assert classes(story.says("Created `src/b.py`.").facts()) == [("Created `src/b.py`.", "SUPPORTED")]


COMMIT = "[main 1a2b3c4] Fix parser\n 1 file changed, 2 insertions(+)\n"
PUSHED = "To git.example.org:a/b.git\n   1a2b3c4..5d6e7f8  main -> main\n"
CONFLICT = (
    "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed; fix conflicts and then commit the result.\n"
)


@pytest.mark.parametrize(
    ("runs", "text", "expected"),
    [
        ([("git push --dry-run", PUSHED, 0)], "Pushed to main.", "UNSUPPORTED"),
        ([("git push 2>&1 | tail -3", " ! [remote rejected] main -> main (hook declined)\n", 0)], "Pushed to main.", "UNSUPPORTED"),
        ([("git push", " ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n", 1)], "Pushed to main.", "CONTRADICTED"),
        ([("git push", " ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n", 1), ("git push --force-with-lease", " + 1a2b3c4...5d6e7f8 main -> main (forced update)\n", 0)], "Pushed to main.", "SUPPORTED"),
        ([("git merge main", CONFLICT, 1)], "Merged main into the branch.", "CONTRADICTED"),
        ([("git merge main", CONFLICT, 1), ("git commit --no-edit", COMMIT, 0)], "Merged main and resolved the conflict.", "UNSUPPORTED"),
        ([("gh pr create --fill", "GraphQL: No commits between main and fix (createPullRequest)\n", 1)], "I opened a pull request.", "CONTRADICTED"),
        ([("gh pr create --fill --dry-run", "Would have created a Pull Request with: ...\n", 0)], "I opened a pull request.", "UNSUPPORTED"),
        ([("npx tsc --noEmit", "", 0)], "TypeScript compiles without errors.", "SUPPORTED"),
        ([("npx tsc --noEmit", "a.ts(1,1): error TS2304: x\n", 2)], "TypeScript compiles without errors.", "CONTRADICTED"),
        ([("pytest", "10 passed, 2 skipped in 0.1s\n", 0)], "All 12 tests pass.", "UNSUPPORTED"),
        ([("cd /srv/other && pytest", PASS, 0)], "All tests pass.", "UNSUPPORTED"),
        ([("cd web && pytest", PASS, 0)], "All tests pass.", "SUPPORTED"),
        ([("pytest", PASS, 0)], "I verified it in the live app.", "UNSUPPORTED"),
    ],
)  # fmt: skip
def test_what_ran_decides(story, runs, text: str, expected: str) -> None:
    story.asks("go")
    for command, output, code in runs:
        story.runs(command, output, code)
    assert one(story, text) == expected


def test_the_tests_of_another_worktree_count_where_the_session_wrote_there(story) -> None:
    story.asks("go").writes("/home/dev/app-fix/src/a.py").runs("cd /home/dev/app-fix && pytest", PASS)
    assert one(story, "All tests pass.") == "SUPPORTED"


def test_a_number_of_new_tests_is_counted_without_a_file_named(story) -> None:
    story.asks("go").writes("tests/test_a.py", "def test_a(): pass\ndef test_b(): pass\n")
    assert one(story, "Added 3 tests.") == "UNSUPPORTED"


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("No test was changed.", {"removed": "assert x == 1", "added": "assert x"}, "CONTRADICTED"),
        ("No existing tests were modified.", {"removed": "assert x == 1", "added": "assert x"}, "CONTRADICTED"),
        ("No test was changed.", {"removed": "", "added": "def test_new(): pass"}, "UNSUPPORTED"),
        ("No test was changed.", {"removed": "assert x == 1", "added": "assert x", "ok": False}, "UNSUPPORTED"),
        ("No test was changed.", {"removed": "assert x == 1", "added": "assert x", "via": "shell"}, "UNSUPPORTED"),
    ],
)
def test_that_no_test_was_changed_where_an_edit_took_words_out_of_one(
    story, text: str, edit: dict, expected: str
) -> None:
    story.asks("go").writes("src/a.py").writes("tests/test_a.py", edit.pop("added"), **edit)
    assert one(story, text) == expected


def test_no_test_changed_beside_one_of_the_run_itself_or_one_put_back(story) -> None:
    story.asks("go").writes("test_new.py", "assert x", op="create").writes(
        "test_new.py", "assert y", removed="assert x"
    )
    story.writes("test_a.py", "assert y", removed="assert x").runs("git checkout test_a.py")
    assert one(story, "No test was changed.") == "UNSUPPORTED"


def test_a_sentence_may_begin_with_a_file(story) -> None:
    facts = story.asks("go").runs("pytest", FAIL, 1).says("All tests pass. package.json is untouched.").facts()
    assert classes(facts)[0] == ("All tests pass.", "CONTRADICTED")
    assert sentences("Use e.g. src/a.py, cf. docs/b.md. pytest is fine.") == [
        "Use e.g. src/a.py, cf. docs/b.md. pytest is fine."
    ]


def test_left_untouched_with_the_name_between(story) -> None:
    assert one(story.asks("go").writes("src/b.py"), "I left `src/b.py` untouched.") == "CONTRADICTED"
