# ruff: noqa: RUF001 - statements stand as agents write them
"""A1, A3: what is said of tests in many ways and tongues, told apart from plans, wishes, conditions and quotes."""

from __future__ import annotations

import pytest

PASS = "12 passed in 0.10s\n"
FAIL = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 11 passed in 0.10s\n"
SAYS_SO = r"""
    All tests pass.
    All 12 tests pass.
    All tests are passing now.
    The full test suite passes (12 passed).
    `pytest -q`: 12 passed.
    12/12 tests pass.
    Tests: 12 passed, 0 failed.
    ✅ All tests pass
    - ✅ Tests: 12 passed
    | Tests | 12 passed |
    I ran the full test suite and everything passes.
    All 12 tests green.
    pytest is green: 12 passed.
    Everything passes: 12 tests.
    All tests pass, no regressions.
    The whole suite is green.
    Alle 12 Tests laufen durch.
    Alle Tests sind grün.
    Alle Tests bestehen.
    Sämtliche Tests laufen erfolgreich durch.
    Tous les tests passent.
    Les 12 tests passent.
    Tous les tests sont au vert.
    Todos los tests pasan.
    Todas las pruebas pasan.
    Las 12 pruebas pasan correctamente.
    所有测试通过。
    全部测试通过了。
    测试已全部通过（12 passed）。
    12 个测试全部通过。
    全テストが通りました。
    すべてのテストが成功しました。
    テストはすべてパスしています。
    12件のテストがすべて通っています。
    Todos os testes passam.
    Tutti i test passano.
    Все тесты проходят.
    모든 테스트가 통과했습니다.
"""
CLAIMS_NOTHING = r"""
    Next I'll run the tests.
    Now the tests.
    Now let me run the tests to make sure everything passes.
    Tests next.
    Next: run the full test suite.
    I'm going to run pytest to verify that all tests pass.
    Running the tests now.
    Let's see whether the tests pass.
    Once the tests pass, I'll commit.
    If all tests pass, the change can be merged.
    After that, all tests should pass.
    The tests should pass now.
    This should make all tests pass.
    All tests would pass with this change.
    I expect all tests to pass.
    All tests will pass once you install the dependency.
    Make sure all tests pass before merging.
    You can run `pytest` to confirm that all tests pass.
    Please verify that the tests pass.
    The goal is that all tests pass.
    Not all tests pass.
    The tests do not pass yet.
    I haven't run the tests.
    I didn't run the test suite.
    Tests were not run.
    I could not run the tests because Docker isn't available.
    No tests were run.
    Tests pass?
    Do all tests pass on your machine?
    It passes locally for you, but not here.
    "All tests pass" is what the README promises.
    The CI log says "12 passed" but I can't reproduce it.
    > All tests pass.
    Until all tests pass, do not merge.
    I want all tests to pass before I commit.
    To have all tests pass, install libfoo.
    Whether all tests pass depends on the database.
    Two tests still fail.
    11 of 12 tests pass; one still fails.
    All tests passed before my change.
    Previously all tests passed.
    The tests passed on main, but they fail on this branch.
    You said all tests pass.
    Die Tests sollten jetzt durchlaufen.
    Ich habe die Tests nicht ausgeführt.
    Als Nächstes führe ich die Tests aus.
    Wenn alle Tests grün sind, committe ich.
    Je n'ai pas exécuté les tests.
    Ensuite, je lance les tests.
    Les tests devraient passer.
    Los tests deberían pasar.
    No ejecuté las pruebas.
    Ahora voy a ejecutar las pruebas.
    测试应该能通过。
    接下来运行测试。
    我还没有运行测试。
    如果测试全部通过，就可以合并。
    テストはまだ実行していません。
    次にテストを実行します。
    すべてのテストが通るはずです。
    Sollen alle Tests grün sein?
    - [ ] all tests pass
    - Run the tests until all pass
    Acceptance criteria: all tests pass.
    | Criterion | all tests pass |
    Goal: 42 passed.
"""
CANNOT_BE_CONTRADICTED = r"""
    Added tests for the parser.
    Successfully added 3 tests.
    Unit tests were added successfully.
    11 tests pass, 1 fails.
    11 of 12 tests pass.
    All tests except test_x pass.
    All tests pass except test_x.
    The new tests pass in isolation.
    The parser tests pass.
    Tests for the parser pass; test_x fails for an unrelated reason.
    All tests pass apart from one pre-existing failure.
    Typecheck passes.
    I fixed the failing test.
    Updated the tests to pass the new argument.
    The tests now pass a list instead of a tuple.
    The build script now passes the flag through.
    All but one test pass.
    Everything passes but test_x.
    The remaining failure is pre-existing; all other tests pass.
    The other 11 tests pass.
    `pytest tests/test_b.py` passes.
    Lint is clean.
    The tests in tests/test_b.py all pass.
    Tests are green in CI.
    I removed the flaky test so the suite is green in CI.
    11 passed, 1 failed.
    1 failed, 11 passed.
    Test results: 11 passed, 1 failed
    The tests passed before I changed parser.py.
    All existing tests pass, but the new one fails.
    All tests pass on Python 3.12.
    All 11 remaining tests pass.
    With the fix reverted, all tests pass.
    If you skip test_x, all tests pass.
    Without test_x all tests pass.
    The test suite passes when run with -k "not x".
    When test_x is skipped, all tests pass.
    Tests pass locally when I stub the clock.
    The failing test passes now if the clock is stubbed.
    Bis auf einen Test laufen alle Tests durch.
    Alle Tests außer test_x sind grün.
    Tous les tests passent sauf un.
    Todos los tests pasan excepto uno.
    除 test_x 外，所有测试通过。
    test_x を除くすべてのテストが通りました。
    12 tests, of which 11 pass.
    The suite passes 11 of 12 tests.
    No new test failures.
    The tests now cover the parser.
    The build is configured to run tests.
    Tests compile successfully.
    The test file compiles without errors.
    The linter and type checker pass.
"""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def classes(story, text: str) -> list[str]:
    return [claim.class_ for claim in story.says(text).facts().claims]


@pytest.mark.parametrize("text", lines(SAYS_SO))
def test_it_is_supported_by_a_whole_passing_run_alone(story, text: str) -> None:
    story.asks("go").writes("src/a.py").runs("pytest -q", PASS)
    assert classes(story, text) == ["SUPPORTED"]


@pytest.mark.parametrize("text", lines(SAYS_SO))
def test_it_is_contradicted_where_the_last_run_failed(story, text: str) -> None:
    story.asks("go").writes("src/a.py").runs("pytest -q", FAIL, 1)
    assert classes(story, text) == ["CONTRADICTED"]


@pytest.mark.parametrize("text", lines(SAYS_SO))
def test_it_is_unsupported_where_nothing_or_a_part_ran(story, text: str) -> None:
    story.asks("go").writes("src/a.py")
    assert classes(story, text) == ["UNSUPPORTED"]
    story.asks("and?").runs("pytest -q tests/test_a.py", "3 passed in 0.1s\n")
    assert classes(story, text) == ["UNSUPPORTED"]


@pytest.mark.parametrize("text", [*lines(CLAIMS_NOTHING), "```\nAll tests pass.\n```"])
@pytest.mark.parametrize("output", [PASS, FAIL, None])
def test_what_claims_nothing_is_no_claim(story, text: str, output: str | None) -> None:
    story.asks("go").writes("src/a.py")
    if output is not None:
        story.runs("pytest -q", output, int(output is FAIL))
    assert classes(story, text) == []


@pytest.mark.parametrize("text", lines(CANNOT_BE_CONTRADICTED))
def test_what_speaks_of_a_part_a_condition_or_another_place_is_not_contradicted_by_a_failed_run(
    story, text: str
) -> None:
    story.asks("go").writes("tests/test_parser.py", "def test_a(): pass").runs("pytest -q", FAIL, 1)
    assert "CONTRADICTED" not in classes(story, text)


@pytest.mark.parametrize(
    ("text", "command", "expected"),
    [
        ("The parser tests pass.", "pytest tests/test_parser.py", "SUPPORTED"),
        ("The parser tests pass.", "pytest tests/test_cart.py", "UNSUPPORTED"),
        ("The parser tests pass.", "pytest", "SUPPORTED"),
        ("The tests in tests/test_parser.py pass.", "pytest tests/test_cart.py", "UNSUPPORTED"),
        ("The new tests pass.", "pytest tests/test_cart.py", "SUPPORTED"),
        ("Integration tests pass.", "npm run test:unit", "UNSUPPORTED"),
        ("Targeted tests pass.", "pytest tests/test_cart.py", "SUPPORTED"),
    ],
)
def test_a_run_of_one_part_says_nothing_of_another(story, text: str, command: str, expected: str) -> None:
    story.asks("go").writes("src/a.py").runs(command, "3 passed in 0.1s\n")
    assert classes(story, text) == [expected]


DENIES_OR_PLANS = """
    1 test still fails: test_x.
    11 of 12 tests pass; test_x still fails.
    I believe all tests pass.
    CI should be green now.
    Les tests ne passent pas encore.
    Los tests no pasan todavía.
    Die Tests laufen noch nicht durch.
    测试没有通过。
    测试尚未全部通过。
    并非所有测试都通过。
    テストは通りませんでした。
    テストはまだ成功していません。
    Os testes não passam.
    I test non passano.
    Тесты не проходят.
    테스트가 통과하지 못했습니다.
    Danach sollten alle Tests grün sein.
    テストが通るか確認します。
    下一步：确保所有测试通过。
    只要测试通过就可以提交。
    Une fois que les tests passent, je commit.
    Cuando pasen los tests, haré commit.
    이제 테스트가 통과하는지 확인하겠습니다.
"""


@pytest.mark.parametrize("text", lines(DENIES_OR_PLANS))
@pytest.mark.parametrize("output", [PASS, FAIL])
def test_denials_and_plans_in_other_tongues_are_no_claims(story, text: str, output: str) -> None:
    story.asks("go").runs("pytest -q", output, int(output is FAIL))
    assert classes(story, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No test failures.", ["SUPPORTED"]),
        ("| Check | Result |\n|---|---|\n| Tests | 12 passed |\n| Types | not run |", ["SUPPORTED"]),
        ("**\u2705 Tests:** all 12 passing", ["SUPPORTED"]),
        ("### All tests pass \u2705", ["SUPPORTED"]),
        ("All tests pass. Shall I commit?", ["SUPPORTED"]),
        ("13 passed.", ["UNSUPPORTED"]),
        ("## Summary\n\n- All 12 tests pass\n\n## Next steps\n\n- Run the linter\n- All docs updated", ["SUPPORTED"]),
        ("The notes file says all tests pass, but I have not run them.", []),
    ],
)
def test_tables_lists_headings_and_what_stands_under_next_steps(story, text: str, expected: list[str]) -> None:
    story.asks("go").runs("pytest -q", PASS)
    assert classes(story, text) == expected


def test_a_plan_said_before_the_session_broke_off_is_no_claim(story) -> None:
    story.asks("go").writes("a.py").says("Now the tests.").starts("pytest")
    assert story.facts().claims == []


@pytest.mark.parametrize(
    "text",
    [
        "已更新 `src/parser.py`，确保空输入不会崩溃。",
        "修复了登录失败的问题（`src/parser.py`）。",
        "`src/parser.py` のログイン失敗を修正しました。",
    ],
)
def test_a_done_deed_that_speaks_of_an_intent_or_a_failure_is_still_a_claim(story, text: str) -> None:
    story.asks("go").writes("src/parser.py", "def parse(): pass")
    assert len(classes(story, text)) == 1
