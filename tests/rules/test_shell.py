"""What a line runs, and for which of its programs its exit code speaks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passdown.rules.shell import by_grammar, calls
from passdown.rules.shell_plain import plain_calls
from passdown.rules.shell_words import unwrap


def found(line: str, tool: str):
    return next(c for c in calls(line) if unwrap(c.words)[:1] == (tool,))


@pytest.mark.parametrize(
    "line",
    [
        "pytest",
        "pytest -q tests/ 2>&1",
        "cd x && pytest",
        "pytest && echo ok",
        "ruff check . && pytest",
        "(cd x && pytest)",
        "{ pytest; }",
        "FOO=1 BAR=2 pytest",
        "env FOO=1 pytest",
        "timeout 60 pytest",
        "timeout -k 5 60s pytest",
        "time pytest",
        "nohup pytest",
        "sudo -u app pytest",
        "bash -lc 'cd x && pytest -q'",
        'sh -c "pytest"',
        "uv run --extra dev pytest",
        "poetry run pytest",
        "python -m pytest -x",
        "python3.12 -W error -m pytest",
        "docker exec -it web pytest",
        "docker compose run --rm -e A=1 web pytest",
        "xvfb-run -a pytest",
        "set -e\ncd x\npytest\necho done",
        "set -euo pipefail; pytest | tee log",
        "set -o pipefail && pytest | tail -5",
        "pytest | tee log; exit ${PIPESTATUS[0]}",
        "pytest; exit $?",
        "pytest; rc=$?; echo finished; exit $rc",
        "pytest || exit 1",
        "pytest || { echo no; exit 1; }",
        "pytest < input.txt",
        "echo start; pytest",
        "out=$(pytest)",
    ],
)
def test_exit_zero_speaks_for_the_program(line: str) -> None:
    assert found(line, "pytest").vouched


@pytest.mark.parametrize(
    "line",
    [
        "pytest | tail -5",
        "pytest 2>&1 | head -50",
        "cd x && pytest 2>&1 | tail -5",
        "pytest | grep -v ok",
        "pytest | tee log",
        "pytest || true",
        "pytest || echo failed",
        "pytest; echo done",
        "pytest; exit 0",
        "pytest\nls",
        "pytest && ls || echo failed",
        "! pytest",
        "pytest &",
        "pytest & wait",
        "if pytest; then echo ok; fi",
        "while ! pytest; do sleep 1; done",
        "for p in a b; do pytest $p; done",
        'echo "result: $(pytest)"',
        "out=$(pytest); echo $out",
        "bash -c 'pytest; true'",
        "bash -c 'pytest | tail -3'",
        "set -o pipefail\nbash -c 'pytest | cat'",
        "pytest | tee log; echo ${PIPESTATUS[0]}",
        "diff <(pytest) expected",
    ],
)
def test_exit_zero_proves_nothing_about_a_masked_program(line: str) -> None:
    assert not found(line, "pytest").vouched


@pytest.mark.parametrize(
    ("line", "blamed"),
    [
        ("pytest", True),
        ("cd x && pytest", True),
        ("npm ci && pytest", False),
        ("pytest && npm publish", False),
        ("pytest | grep x", False),
        ("git add . && pytest", True),
    ],
)
def test_a_failure_is_blamed_on_the_only_program_that_can_fail(line: str, *, blamed: bool) -> None:
    assert found(line, "pytest").blamed is blamed


def test_the_status_that_a_line_prints_belongs_to_the_program_before_it() -> None:
    assert found('pytest; echo "EXIT: $?"', "pytest").echoed == "EXIT:"
    assert found('pytest | tail; echo "exit=${PIPESTATUS[0]}"', "pytest").echoed == "exit="
    assert found('pytest | grep -v ok | head; echo "EXIT: $?"', "pytest").echoed is None
    assert found('pytest || true; echo "EXIT: $?"', "pytest").echoed is None


def test_words_in_texts_are_no_programs() -> None:
    line = "git commit -m \"$(cat <<'EOF'\nrun pytest && npm test\nEOF\n)\" && echo 'pytest; npm test'"
    assert [c.words[0] for c in calls(line)] == ["cat", "git", "echo"]
    assert [c.words[0] for c in calls("cat > run.sh <<'EOF'\npytest\nEOF")] == ["cat"]


def test_output_that_goes_to_a_file_is_known() -> None:
    assert found("pytest > log 2>&1", "pytest").quiet
    assert not found("pytest 2>/dev/null", "pytest").quiet
    assert not found("pytest 2>&1", "pytest").quiet


def test_folders_follow_cd() -> None:
    assert found("cd web && pytest", "pytest").folder == "web"
    assert found("cd 'my web'; pytest", "pytest").folder == "my web"


@pytest.mark.parametrize(
    "line", ["", "   ", "((", "if (Test-Path x) { pytest }", "pytest 'unclosed", "\x00", "é\udce9"]
)
def test_what_cannot_be_read_vouches_for_nothing_and_raises_nothing(line: str) -> None:
    assert all(not c.vouched or len(calls(line)) == 1 for c in calls(line))


@pytest.mark.parametrize("opening", ["", "${", "${{", "$((", "<<", "[[ ", "`"])
def test_j4_wide_characters_and_halves_of_pairs_are_letters_of_a_word(opening: str) -> None:
    calls(opening + "\U0001f600\u3042\ud800\x00 \uffff" * 8)
    assert [call.words for call in by_grammar("echo caf\u00e9 \U0001f600 'a \u3042' && ls -l")] == [
        ("echo", "caf\u00e9", "\U0001f600", "a \u3042"),
        ("ls", "-l"),
    ]


PIECES = [
    *("pytest", "-q", "git", "add", ".", "cd", "x", "A=1", '"a b"', "'c d'", "make", "test", "tail", "-20", "x=y"),
    *("bash", "-c", "sudo", "env", "./a/b.py", "npm", "run", "10", "&&", "|", 'a"b"c', "time", "in", "if", "//x"),
    *("@a", "+x", "%a", "export", "set", "-e", "-o", "pipefail", "true", "exit", "=", '""', "a,b", "!", "do", "~/x"),
    *("*.py", "a?b", "a\\|b", '"a\\|b"', "function", "FOO=", "declare", "$X", "`ls`", ";", "||", "2>&1", "&", "(ls)"),
    *("{a,b}", "#no", "\n"),
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map(" ".join))
@settings(max_examples=300)
def test_plain_lines_are_read_as_the_grammar_reads_them(line: str) -> None:
    found = plain_calls(line)
    if found is not None and not ("2>" in line and "|" in line):
        assert found == by_grammar(line)


@pytest.mark.parametrize(
    ("line", "tail_blamed"),
    [("cd x && pytest -q 2>&1 | tail -5", True), ("make x && pytest -q 2>&1 | tail -5", False)],
)
def test_a_redirection_before_a_pipe_changes_no_binding(line: str, tail_blamed: bool) -> None:
    run, tail = calls(line)[-2:]
    assert (run.vouched, run.blamed, run.pipe) == (False, False, (("tail", "-5"),))
    assert (tail.vouched, tail.blamed) == (True, tail_blamed)


@pytest.mark.parametrize(
    "line", ["pytest -q", "cd a && git add . && git commit -m 'x y'", 'rg -n "a\\|b" src | head -5', "npm test 2>&1"]
)
def test_most_lines_need_no_grammar(line: str) -> None:
    assert plain_calls(line) is not None
