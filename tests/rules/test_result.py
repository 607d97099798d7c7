"""The exit code is the verdict; report and output only explain it or put it in doubt."""

from __future__ import annotations

import pytest

from passdown.rules.result import Ran, Report, ending, result

GREEN = Report("read", {"passed": 3, "failed": 0, "skipped": 0, "errors": 0})
RED = Report("read", {"passed": 2, "failed": 1, "skipped": 0, "errors": 0})


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        (Ran(0), "PASSED"),
        (Ran(1), "FAILED"),
        (Ran(2), "FAILED"),
        (Ran(-9), "ERROR"),
        (Ran(-15, why="timeout"), "ERROR"),
        (Ran(0, why="timeout"), "ERROR"),
        (Ran(None, why="lost"), "ERROR"),
        (Ran(None, why="cannot start: No such file or directory"), "ERROR"),
        (Ran(126), "ERROR"),
        (Ran(127, shell=True), "ERROR"),
        (Ran(137, shell=True), "ERROR"),
        (Ran(137), "FAILED"),
        (Ran(255, shell=True), "FAILED"),
        (Ran(2, tool="pytest"), "ERROR"),
        (Ran(3, tool="pytest"), "ERROR"),
        (Ran(4, tool="pytest"), "ERROR"),
        (Ran(5, tool="pytest"), "NOT RUN"),
        (Ran(5, tool="unittest"), "NOT RUN"),
        (Ran(5, tool="make"), "FAILED"),
        (Ran(1, tool="pytest"), "FAILED"),
        (Ran(0, changed=True), "UNSTABLE"),
        (Ran(1, changed=True), "UNSTABLE"),
        (Ran(-9, changed=True), "ERROR"),
        (Ran(0, tests={"skipped": 4}), "SKIPPED"),
        (Ran(0, tests={"passed": 0, "skipped": 4}), "SKIPPED"),
        (Ran(0, tests={"passed": 1, "skipped": 4}), "PASSED"),
        (Ran(0, tests={"passed": 0}), "NOT RUN"),
        (Ran(0, nothing_ran=True), "NOT RUN"),
        (Ran(0, tests={"passed": 3, "failed": 1}), "INCONCLUSIVE"),
        (Ran(0, report=GREEN), "PASSED"),
        (Ran(0, report=RED), "INCONCLUSIVE"),
        (Ran(1, report=RED), "FAILED"),
        (Ran(1, report=GREEN), "INCONCLUSIVE"),
        (Ran(0, report=Report("missing")), "INCONCLUSIVE"),
        (Ran(0, report=Report("older")), "INCONCLUSIVE"),
        (Ran(0, report=Report("unreadable")), "INCONCLUSIVE"),
        (Ran(1, report=Report("missing")), "INCONCLUSIVE"),
        (Ran(1, report=Report("older")), "INCONCLUSIVE"),
        (Ran(1, report=Report("read", {})), "INCONCLUSIVE"),
        (Ran(2, tool="pytest", report=Report("missing")), "ERROR"),
        (Ran(0, report=Report("read", {"passed": 4}, broken="planned 5")), "INCONCLUSIVE"),
        (Ran(1, report=Report("read", {"passed": 4}, broken="planned 5")), "FAILED"),
        (Ran(0, report=Report("read", findings={})), "PASSED"),
        (Ran(0, report=Report("read", findings={"warning": 3})), "PASSED"),
        (Ran(0, report=Report("read", findings={"error": 1})), "INCONCLUSIVE"),
        (Ran(1, report=Report("read", findings={"warning": 3})), "FAILED"),
        (Ran(1, report=Report("read", findings={})), "INCONCLUSIVE"),
        (Ran(0, tests={"passed": 3}, flaky=["1 rerun"]), "FLAKY"),
        (Ran(1, tests={"passed": 3, "failed": 1}, flaky=["1 rerun"]), "FAILED"),
        (Ran(0, report=Report("read", {})), "NOT RUN"),
        (Ran(0, report=Report("read", {"passed": 0, "skipped": 2})), "SKIPPED"),
        (Ran(0, report=Report("read", {"passed": 4, "errors": 1})), "INCONCLUSIVE"),
    ],
)
def test_result(ran, expected):
    found, because = result(ran)
    assert found == expected
    assert bool(because) == (expected not in {"PASSED", "FAILED"})


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        (Ran(3), (3, None)),
        (Ran(-9), (None, 9)),
        (Ran(143, shell=True), (143, 15)),
        (Ran(143), (143, None)),
        (Ran(None), (None, None)),
    ],
)
def test_ending(ran, expected):
    assert ending(ran) == expected
