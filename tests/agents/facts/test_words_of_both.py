"""A1, B14: what agents state and people forbid or choose, in further ways of saying it."""

from __future__ import annotations

import pytest

PASS = "12 passed in 0.10s\n"
RED = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.10s\n"


def classes(story, text: str) -> list[str]:
    return [c.class_ for c in story.says(text, final=True).facts().claims]


@pytest.mark.parametrize(
    "text",
    [
        "The build passed before `aaa1111`; it breaks since zod was bumped.",
        "All tests passed before the upgrade.",
        "It looks like the first handler was updated in the merge.",
        "Probably the lint is clean now.",
        "The typecheck failure is from missing generated files that are now created by the build.",
        "The problem is that `load()` in `src/a.py` is called twice and no longer returns the cached value.",
        "The root cause was that all tests run with the old fixture, and it is now shared.",
        "| BI-2 | Обновить `available_languages` в `src/a.py` | P0 |",
        "Создать `src/a.py` и добавить в него `load()`.",
    ],
)
def test_how_it_was_why_it_broke_and_what_to_do_are_no_claims(story, text: str) -> None:
    story.asks("go").writes("src/a.py", "def load(): available_languages").runs("pytest -q", RED, exit=1)
    assert classes(story, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bug is fixed.", 1),
        ("Edited `a.rb`.", 1),
        ("Draft PR created: https://git.example.org/a/b/pull/7", 1),
        ("Release prepared: version bumped to 1.4.0 in `src/a.py`.", 1),
        ("The issue was now resolved in `src/a.py`.", 1),
        ("I've tidied the helpers in `src/a.py`.", 1),
        ("I've considered a rewrite.", 0),
        ("The reconnect test is deterministic now.", 1),
        ("The build works again.", 1),
        ("`pytest -q` passes.", 1),
        ("Добавлен `load()` в `src/a.py`.", 1),
        ("El build pasa sin errores.", 1),
        ("Les 4 tests du fichier passent.", 1),
    ],
)
def test_further_ways_to_claim(story, text: str, expected: int) -> None:
    assert len(classes(story.asks("go").writes("src/a.py", "def load(): pass"), text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("All tests pass, but the linter still fails.", ["SUPPORTED"]),
        ("The tests pass (12), although I couldn't start the app.", ["SUPPORTED"]),
        ("Tests pass, but I have not run the linter.", []),
        ("The tests do not pass, but the build is clean.", ["UNSUPPORTED"]),
    ],
)
def test_a_contrast_leaves_the_first_half_a_claim(story, text: str, expected: list[str]) -> None:
    assert classes(story.asks("go").runs("pytest -q", PASS), text) == expected


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("`load` no longer caches (`src/a.py`).", "SUPPORTED"),
        ("`src/a.py` のログを変更しました。", "SUPPORTED"),
        ("`Parser` now has a `load` function.", "SUPPORTED"),
        ("Replaced `old` with `load` in `src/a.py`.", "SUPPORTED"),
    ],
)
def test_a_file_is_found_behind_what_is_gone_and_by_the_name_that_it_defines(story, text: str, class_: str) -> None:
    story.asks("go").runs("pytest -q", RED, exit=1).writes("src/a.py", "def load(): pass")
    story.writes("src/Parser.py", "def load(): pass").runs("pytest -q", PASS)
    assert classes(story, text) == [class_]


@pytest.mark.parametrize(
    "text",
    [
        "can you check these tests? don't change anything, just let me know",
        "Generate a commit message but don't commit it",
        "don't check this in",
        "don't fix anything, but just validate that it works",
        "Do not spawn standby workers without a concrete task.",
        "do not unignore the full folder, but only add the two skills",
        "yes and do not wrap long lines in the markdown",
        "plan only, never apply.",
        "Tests must not be weakened.",
        "please don't reformat the whole file when you edit it... thanks",
        "fix it... and can you not rename stuff?",
        "we're in a code freeze so nothing outside services/health, ok?",
        "stdlib only; keep the CLI flags as they are",
        "Ne touche à rien d'autre que src/mail.py",
        "Under no circumstances push to main.",
        "only add replace for now, but leave the others",
        "When you're done don't push.",
        "If a major bump is needed, don't do it, just tell me.",
        "corrija o frete, mas não altere o arquivo tabela.csv",
        "arregla el build pero no toques package-lock.json",
    ],
)
def test_further_ways_to_forbid(story, text: str) -> None:
    assert len(story.asks(text).facts().prohibitions) == 1


@pytest.mark.parametrize(
    "text",
    [
        "I wonder: if I do a branch and run a session, then don't commit but stash, what happens.",
        "mostly about branches where we use `git add` but don't change the local folder tree",
        "We got a report that this popped up after a few prompts without touching any other session.",
        "never apply discounts twice",
    ],
)
def test_a_scene_or_a_report_forbids_nothing(story, text: str) -> None:
    assert story.asks(text).facts().prohibitions == []


@pytest.mark.parametrize(
    ("answer", "decides"),
    [
        ("Option A", True),
        ("what are the disadvantages of the first one?", False),
        ('"How would you sequence the PRs?"', False),
        ("Use the second.\nDo we need a migration for it?", True),
    ],
)
def test_a_question_in_return_is_no_choice(story, answer: str, decides: bool) -> None:
    assert bool(story.chooses(answer, "Which?").facts().decisions) is decides


@pytest.mark.parametrize("text", ["let's take a critical look at the plan", "a_test.go:10: use A instead of B"])
def test_a_look_or_a_pasted_line_is_no_choice(story, text: str) -> None:
    assert story.asks(text).facts().decisions == []


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("**Fix 1 \u2014 `a.py`**: Swapped the two lookups.", "SUPPORTED"),
        ("**`src/a.py`**: Replaced `old` with `load`.", "SUPPORTED"),
        ("**MD-1** (#8): Fixed the import with `load` in `src/a.py`", "UNSUPPORTED"),
        ("**`src/a.py`** \u2014 Added:", "SUPPORTED"),
        ("| `src/a.py` | Added `load` |", "SUPPORTED"),
        ("`av-12`: completed.", "UNSUPPORTED"),
        ("Commit `da5defc` created successfully.", "UNSUPPORTED"),
        ("Both edits applied.", "UNSUPPORTED"),
    ],
)
def test_a_label_before_the_deed_is_passed_over(story, text: str, class_: str) -> None:
    story.asks("go").writes("src/a.py", "def load(): av-12")
    assert classes(story, text) == [class_]


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("All green.", "SUPPORTED"),
        ("`pytest -q` finishes without warnings.", "SUPPORTED"),
        ("All passing.", "SUPPORTED"),
        ("Everything passes now.", "SUPPORTED"),
        ("`pytest -q` - all passed", "SUPPORTED"),
        ("`npm test` - all passed", "SUPPORTED"),
        ("`npm run test:e2e` - all passed", "UNSUPPORTED"),
        ("It only gets compiled when you explicitly pass `-tags x`.", "UNSUPPORTED"),
        ("`pytest -q` gives 12 passed, 0 failures.", "SUPPORTED"),
        ("`ruff check` \u2192 clean", "SUPPORTED"),
    ],
)
def test_an_ellipsis_speaks_of_the_last_checks_and_a_quote_of_that_one(story, text: str, class_: str) -> None:
    story.asks("go").writes("src/a.py").runs("npm test", "Tests: 4 passed, 4 total\n").runs("pytest -q", PASS)
    assert classes(story.runs("ruff check", "All checks passed!\n"), text) == [class_]


@pytest.mark.parametrize(("number", "class_"), [("19", "SUPPORTED"), ("18", "UNSUPPORTED")])
def test_a_number_counts_what_it_stands_before(story, number: str, class_: str) -> None:
    story.asks("go").writes("src/a.py", "x").runs("grep -c load_it src/a.py", f"{number}\n")
    assert classes(story, "All 19 `load_it` calls are gone from the module.") == [class_]
    apart = "**19 dismissed as incorrect** (misread code of another reviewer, the `load_it` limit)"
    assert "SUPPORTED" not in classes(story, apart)


@pytest.mark.parametrize(
    ("text", "class_"),
    [("It was slower, so I reverted `src/a.py`.", "SUPPORTED"), ("Updated `src/a.py`.", "STALE")],
)
def test_what_was_put_back_is_shown_only_where_it_is_said(story, text: str, class_: str) -> None:
    story.asks("go").writes("src/a.py").runs("git checkout -- src/a.py")
    assert classes(story, text) == [class_]


@pytest.mark.parametrize("text", ["`make ci` passes (12 tests, mypy clean).", "`make ci` passes."])
def test_a_quoted_target_speaks_for_all_that_it_runs(story, text: str) -> None:
    out = f"mypy src\nSuccess: no issues found in 12 source files\npytest -q\n{PASS}"
    assert classes(story.asks("go").runs("make ci 2>&1 | tail -5", out), text) == ["SUPPORTED"]


def test_a_letter_that_names_an_approach_ends_a_sentence(story) -> None:
    story.asks("go").runs("pytest -q", PASS)
    assert classes(story, "A did not help, so I used approach B. All 12 tests pass.") == ["SUPPORTED"]


@pytest.mark.parametrize(("subject", "class_"), [("Merge branch 'main'", "SUPPORTED"), ("Fix parser", "UNSUPPORTED")])
def test_a_commit_of_the_merge_ends_a_conflict(story, subject: str, class_: str) -> None:
    conflict = "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed; fix conflicts and then commit.\n"
    story.asks("go").runs("git merge main", conflict, exit=1).runs(
        "git commit --no-edit", f"[feat 1a2b3c4] {subject}\n"
    )
    assert classes(story, "Merged main and resolved the conflict.") == [class_]


def test_a_gate_of_coverage_fails_beside_tests_that_pass(story) -> None:
    out = f"{PASS}TOTAL 100 30 70%\nCoverage failure: total of 70 is less than fail-under=80\n"
    story.asks("go").runs("coverage run -m pytest -q && coverage report --fail-under=80", out, exit=2)
    assert [c.result for c in story.facts().checks] == ["FAILED"]
    assert classes(story, "The 12 tests pass.") == ["SUPPORTED"]


def test_a_turn_that_was_closed_stands_although_the_agent_was_woken_again(story) -> None:
    story.asks("go").runs("pytest -q", PASS).says("All 12 tests pass.", final=True).runs("sleep 15")
    assert classes(story, "Still watching.") == ["SUPPORTED"]


@pytest.mark.parametrize(
    ("command", "output", "class_"),
    [
        (
            "make test lint",
            f"pytest -q\n{PASS}ruff check .\nFound 3 errors.\nmake: *** [lint] Error 1\n",
            "UNSUPPORTED",
        ),
        ("npm test", "Tests: 12 passed, 12 total\nnpm ERR! lint failed\n", "UNSUPPORTED"),
        ("pytest -q", "12 passed, 3 errors in 0.10s\n", "CONTRADICTED"),
        ("pytest -q", RED, "CONTRADICTED"),
    ],
)
def test_what_failed_beside_good_tests_contradicts_nothing(story, command: str, output: str, class_: str) -> None:
    story.asks("go").runs(command, output, exit=1)
    assert classes(story, "The tests pass.") == [class_]


@pytest.mark.parametrize(
    ("text", "class_"),
    [("The removal PR was already merged.", "UNSUPPORTED"), ("I merged `main` into the branch.", "SUPPORTED")],
)
def test_what_was_done_before_is_no_deed_of_this_session(story, text: str, class_: str) -> None:
    told = "Updating 1a2b3c4..5d6e7f8\nFast-forward\n"
    story.asks("go").runs("git pull" if "PR" in text else "git merge main", told)
    assert classes(story, text) == [class_]


MENU = "**Select an option:**\n[A] Advanced Elicitation\n[P] Party Mode\n[C] Continue to step 3\n\nWhat do you choose?"


@pytest.mark.parametrize(
    ("words", "decides"), [("C", False), ("c", False), ("A", True), ("Je préfère un epic 0.", True)]
)
def test_going_on_in_a_menu_decides_nothing(story, words: str, decides: bool) -> None:
    assert bool(story.says(MENU, final=True).asks(words).facts().decisions) is decides
