"""A command after `--` speaks for itself alone: its failure is an open item, its pass closes no other (semantics 2)."""

from __future__ import annotations

import json
import os

import pytest

FAILS = """#!/bin/sh
if test -f fixed; then echo '2 passed in 0.01s'; exit 0; fi
echo 'FAILED tests/test_a.py::test_b - no'
echo '1 failed, 1 passed in 0.01s'
exit 1
"""
PASSES = "#!/bin/sh\necho '3 passed in 0.01s'\n"


@pytest.fixture
def work(repo, tmp_path, monkeypatch):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "pytest").write_text(PASSES)
    (tools / "pytest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    repo.write("t.sh", FAILS, mode=0o755).write("a.py", "x = 1\n")
    repo.write("passdown.toml", '[checks.tests]\nrun = "./t.sh"\nkind = "test"\nacceptance = true\n').commit()
    repo.passdown("start", "Mend it").check()
    return repo.write("a.py", "x = 2\n")


def items(repo):
    return [item["text"] for item in json.loads(repo.passdown("pack", "--json").out)["items"]]


def test_it_closes_no_item_of_a_check(work):
    work.passdown("check", "tests", "--no-base").check(1)
    assert items(work) == ["tests/test_a.py::test_b"]
    work.passdown("check", "--", "pytest", "-q", "-k", "other").check()
    assert items(work) == ["tests/test_a.py::test_b"]
    work.write("fixed")
    work.passdown("check", "tests").check()
    assert items(work) == []


def test_its_own_failure_closes_when_it_passes(work):
    work.write("b.sh", "exit 1\n").write("fixed")
    work.passdown("check", "--", "sh", "b.sh").check(1)
    assert items(work) == ["sh b.sh fails"]
    work.write("b.sh", "exit 0\n")
    work.passdown("check", "--", "sh", "b.sh").check()
    assert items(work) == []


def test_a_failing_check_of_verify_says_what_comes_next(work):
    work.passdown("boundary", "allow", "*.py", "--because", "it is the work").check()
    answer = work.passdown("verify", "--checks").check(1)
    assert answer.out.rstrip().endswith("Next   make it pass: passdown check tests")
