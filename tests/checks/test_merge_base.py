"""A14, A15: whether a failure was there before is asked, not said."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import msgspec
import pytest

from passdown.checks import copy, merge_base
from passdown.checks.merge_base import compare_with_base
from passdown.checks.narrow import narrow, passed, short
from passdown.checks.tree import TreeView
from passdown.rules.origin import compared
from support.desk import Desk

PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
TESTS = "def test_good():\n    assert {good}\n\n\ndef test_old():\n    assert {old}\n"


@pytest.fixture
def desk(repo):
    repo.write("passdown.toml", f'[checks.tests]\nrun = "{PYTEST}"\n[checks.lint]\nrun = "sh lint.sh"\n')
    repo.write("lint.sh", "test ! -e bad\n").write("tests/test_a.py", TESTS.format(good=1, old=0))
    repo.commit("Begin the work")
    return Desk(repo)


def ask(desk, name="tests", known=(), seconds=None):
    evidence = desk.check(name)
    view = TreeView(desk.place, desk.base)
    definition = msgspec.structs.replace(desk.find(name).definition, timeout=seconds)
    return evidence, compare_with_base(view, definition, evidence, known, now=desk.now())


def test_each_failing_test_has_its_own_origin(desk, repo):
    repo.write("tests/test_a.py", TESTS.format(good=0, old=0)).write(
        "tests/test_b.py", "def test_new():\n    assert 0\n"
    )
    evidence, there = ask(desk)
    assert evidence.result == "FAILED"
    assert there.tests == {
        "tests/test_a.py::test_good": "REGRESSION",
        "tests/test_a.py::test_old": "PRE-EXISTING",
        "tests/test_b.py::test_new": "UNKNOWN",
    }
    assert there.origin == "REGRESSION"
    assert there.because == ("of the failing tests 1 passed there, 1 failed there too, 1 not known there")
    desk.record(there)
    stands = desk.stand()
    assert (stands.origin, stands.origins) == ("REGRESSION", there.tests)


def test_nothing_differs_that_it_reads(desk, monkeypatch):
    monkeypatch.setattr(merge_base, "run_on", None)
    evidence, there = ask(desk)
    assert (evidence.result, there.origin) == ("FAILED", "PRE-EXISTING")
    assert set(there.tests.values()) == {"PRE-EXISTING"}


@pytest.mark.parametrize(
    ("before", "now", "origin"),
    [
        ("test ! -e bad\n", "test ! -e bad\n", "REGRESSION"),
        ("false\n", "false # still\n", "PRE-EXISTING"),
        ("exit 3\n", "exit 1\n", "PRE-EXISTING"),
        ("kill -9 $$\n", "exit 1\n", "UNKNOWN"),
        ("no-such-program\n", "exit 1\n", "UNKNOWN"),
        ("sleep 600\n", "exit 1\n", "UNKNOWN"),
        (None, "exit 1\n", "UNKNOWN"),
    ],
)
def test_a_check_that_names_no_tests(desk, repo, before, now, origin):
    if before is None:
        repo.delete("lint.sh").write("passdown.toml", '[checks.lint]\nrun = "sh ./lint.sh"\n').commit()
    else:
        repo.write("lint.sh", before).write("passdown.toml", '[checks.lint]\nrun = "sh lint.sh"\n')
        repo.commit()
    desk.base = repo.head
    repo.write("lint.sh", now).write("bad", "")
    evidence, there = ask(desk, "lint", seconds=0.5 if before == "sleep 600\n" else None)
    assert evidence.result == "FAILED"
    assert there.origin == origin, there
    assert there.because


def everything(folder):
    found = {}
    for at, _, names in os.walk(folder):
        if "/.git/passdown" not in at:
            for name in names:
                found[f"{at}/{name}"] = hashlib.sha256(Path(at, name).read_bytes()).hexdigest()
    return found


@pytest.mark.parametrize("how", ["mounted", "beside"])
def test_nothing_of_the_users_is_touched(desk, repo, how, monkeypatch):
    if how == "beside":
        monkeypatch.setattr(copy, "_can_mount", lambda: False)
    repo.write("bad", "")
    evidence = desk.check("lint")
    before = everything(repo.root)
    there = compare_with_base(
        TreeView(desk.place, desk.base), desk.find("lint").definition, evidence, (), now=desk.now()
    )
    assert there.origin == "REGRESSION"
    assert everything(repo.root) == before
    assert repo.git("worktree", "list").count("\n") == 0


def test_what_is_known_is_not_asked_again(desk, repo, monkeypatch):
    repo.write("tests/test_a.py", TESTS.format(good=0, old=0))
    _, there = ask(desk)
    desk.record(there)
    known = compared(desk.records, desk.trust)["tests"]
    asked = []
    real = merge_base.run_on
    monkeypatch.setattr(merge_base, "run_on", lambda *a, **k: (asked.append(a[2].run), real(*a, **k))[1])
    repo.write("src/more.py", "x = 1\n")
    _, again = ask(desk, known=known)
    assert (again.tests, asked) == (there.tests, [])
    repo.write("tests/test_a.py", TESTS.format(good=1, old=0))
    _, fewer = ask(desk, known=known)
    assert (fewer.origin, asked) == ("PRE-EXISTING", [])


def test_a_recorded_baseline_of_another_base_says_nothing(desk, repo):
    repo.write("bad", "")
    _, there = ask(desk, "lint")
    desk.record(there)
    assert desk.stand("lint").origin == "REGRESSION"
    desk.base = repo.commit("Move on").head
    desk.check("lint")
    assert desk.stand("lint").origin is None


def test_another_writers_comparison_counts_for_nothing(desk, repo):
    repo.write("bad", "")
    _, there = ask(desk, "lint")
    desk.record(there, writer="f" * 32)
    assert desk.stand("lint").origin is None


@pytest.mark.parametrize(
    ("run", "files", "later"),
    [
        ("sh run.sh", {}, {"run.sh": "exit 1\n"}),
        ("make -s check", {"Makefile": "all:\n"}, {"Makefile": "check:\n\tfalse\n"}),
        ("make -s check", {}, {"Makefile": "check:\n\tfalse\n"}),
        (f"{sys.executable} run.py", {}, {"run.py": "raise SystemExit(1)\n"}),
        (f"{sys.executable} -m mine", {}, {"mine.py": "raise SystemExit(1)\n"}),
    ],
)
def test_what_the_base_does_not_have_cannot_fail_there(repo, run, files, later):
    repo.write("passdown.toml", f'[checks.tests]\nrun = "{run}"\n')
    for path, text in files.items():
        repo.write(path, text)
    desk = Desk(repo.commit("Begin the work"))
    for path, text in later.items():
        repo.write(path, text)
    evidence, there = ask(desk)
    assert (evidence.result, there.origin) == ("FAILED", "UNKNOWN"), there


def test_a_test_that_lacks_an_ignored_file_there_failed_for_that(repo):
    """Not the same failure: it says nothing of what it would do with the file."""
    repo.write(".gitignore", "made/\n").write("made/data", "5\n").write("value", "5\n")
    test = "def test_it():\n    assert open('made/data').read() == open('value').read()\n"
    repo.write("tests/test_a.py", test).write("passdown.toml", f'[checks.tests]\nrun = "{PYTEST}"\n')
    desk = Desk(repo.commit("Begin the work"))
    repo.write("value", "3\n")
    evidence, there = ask(desk)
    assert (evidence.result, there.origin) == ("FAILED", "UNKNOWN"), there


NAMES = ["tests/test_a.py::test_b", "tests/test_a.py::C::test_d[x-1]"]


@pytest.mark.parametrize(
    ("run", "failing", "expected"),
    [
        ("pytest -q", NAMES, "pytest -q -rA tests/test_a.py::test_b 'tests/test_a.py::C::test_d[x-1]'"),
        ("cd web && uv run pytest", NAMES[:1], "cd web && uv run pytest -rA tests/test_a.py::test_b"),
        (["python", "-m", "pytest"], NAMES[:1], ["python", "-m", "pytest", "-rA", NAMES[0]]),
        ("go test ./...", ["TestA/sub", "TestB"], "go test ./... -v -run '^(TestA|TestB)$'"),
        ("cargo test", ["a::b"], "cargo test -- --exact a::b"),
        ("cargo test -- --nocapture", ["a::b"], None),
        ("npx jest", ["group \u203a does it"], "npx jest --reporters=default --verbose -t '(group\\ does\\ it)$'"),
        ("vitest run", ["src/a.test.ts > g > t"], "vitest run --reporter=verbose -t '(g\\ t)$'"),
        ("python -m unittest", ["test_a (t.A.test_a)"], "python -m unittest -v t.A.test_a"),
        ("pytest -q | tee log", NAMES, None),
        ("pytest -q > log", NAMES, None),
        ("pytest -q && mypy", NAMES, None),
        ("make test", NAMES, None),
        ("npm test", ["a"], None),
        ("go build ./...", ["TestA"], None),
        ("pytest", ["no node id"], None),
        ("pytest", [], None),
        ("pytest", [f"t.py::test_{n}" for n in range(100)], None),
    ],
)
def test_narrow(run, failing, expected):
    assert narrow(run, failing) == expected


@pytest.mark.parametrize(
    ("run", "output", "expected"),
    [
        ("pytest", "PASSED tests/test_a.py::test_b\nFAILED tests/test_a.py::test_c - x\n", ["tests/test_a.py::test_b"]),
        ("go test", "--- PASS: TestA (0.00s)\n    --- PASS: TestA/sub (0.00s)\n", ["TestA", "TestA/sub"]),
        ("cargo test", "test a::b ... ok\ntest a::c ... FAILED\n", ["a::b"]),
        ("jest", "  group\n    ✓ does it (3 ms)\n    ✕ not\n", ["does it"]),
        ("make test", "PASSED x.py::y\n", []),
    ],
)
def test_passed(run, output, expected):
    assert passed(run, output) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (NAMES[0], "test_b"),
        (NAMES[1], "test_d"),
        ("a \u203a b c", "b c"),
        ("TestA/sub", "sub"),
        ("test_a (t.A.test_a)", "test_a"),
    ],
)
def test_short(name, expected):
    assert short(name) == expected
