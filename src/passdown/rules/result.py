"""A check's result: the exit code is the verdict; output and report only explain or put it in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from passdown.model.evidence import Result

_CANNOT_RUN = {126, 127}
_SHELL_SIGNAL = range(129, 160)
_PYTEST_BROKEN = {2, 3, 4}
_NO_TESTS = 5
_COUNTING = {"pytest", "py.test", "unittest"}


class Report(Struct, frozen=True):
    """The declared report after the run: ``state`` and, where it was read, its numbers."""

    state: Literal["none", "read", "missing", "older", "unreadable"] = "none"
    tests: Mapping[str, int] = field(default_factory=dict)


class Ran(Struct, frozen=True):
    """How a run ended. ``code``: negative for a signal. ``why``: "" or what ended or prevented it.

    ``shell``: a shell ran it, so 128 + n means signal n. ``tool``: the program whose code this is.
    ``tests``: numbers that the output printed, ``nothing_ran``: it says that no test ran.
    ``changed``: inputs changed while it ran.
    """

    code: int | None
    why: str = ""
    shell: bool = False
    tool: str = ""
    tests: Mapping[str, int] = field(default_factory=dict)
    nothing_ran: bool = False
    report: Report = Report()
    changed: bool = False


def ending(ran: Ran) -> tuple[int | None, int | None]:
    """``(exit, signal)``; a shell's 128 + n is signal n."""
    if ran.code is None:
        return None, None
    if ran.code < 0:
        return None, -ran.code
    if ran.shell and ran.code in _SHELL_SIGNAL:
        return ran.code, ran.code - 128
    return ran.code, None


def result(ran: Ran) -> tuple[Result, str]:
    """The result and, where it is not plainly passed or failed, why."""
    stopped = _stopped(ran)
    if stopped:
        return "ERROR", stopped
    if ran.changed:
        return "UNSTABLE", "its inputs changed while it ran"
    if ran.code == 0:
        return _passed(ran)
    if ran.tool in _COUNTING and ran.code == _NO_TESTS:
        return "NOT RUN", "no tests were collected"
    if ran.report.state == "read" and not _failures(ran.report.tests) and ran.report.tests.get("passed"):
        return "INCONCLUSIVE", f"exit code {ran.code}, but the report lists no failure"
    return "FAILED", ""


def _stopped(ran: Ran) -> str:
    """Why the check could not run to its end; "" where it did."""
    exit_code, signal = ending(ran)
    if ran.why:
        return {"timeout": "ended by its time-out", "lost": "the process that ran it was killed"}.get(ran.why, ran.why)
    if signal is not None:
        return f"ended by signal {signal}"
    if exit_code in _CANNOT_RUN:
        return f"exit code {exit_code}: the command could not be run"
    if ran.tool in {"pytest", "py.test"} and exit_code in _PYTEST_BROKEN:
        return f"pytest exit code {exit_code}: it could not run the tests"
    return ""


def _passed(ran: Ran) -> tuple[Result, str]:
    """Exit code 0 is a pass only where nothing says otherwise and something ran."""
    if ran.report.state in {"missing", "older", "unreadable"}:
        said = {"older": "older than the run"}.get(ran.report.state, ran.report.state)
        return "INCONCLUSIVE", f"exit code 0, but its report is {said}"
    if _failures(ran.report.tests) or ran.tests.get("failed"):
        return "INCONCLUSIVE", "exit code 0, but failures are listed"
    for tests in (ran.report.tests, ran.tests):
        if not tests.get("passed") and tests.get("skipped"):
            return "SKIPPED", "every test was skipped"
    counted_none = ran.tests.get("passed") == 0 or (ran.report.state == "read" and not ran.report.tests.get("passed"))
    return ("NOT RUN", "no test ran") if ran.nothing_ran or counted_none else ("PASSED", "")


def _failures(tests: Mapping[str, int]) -> bool:
    return bool(tests.get("failed") or tests.get("errors"))
