"""A check's result: the exit code is the verdict; output and report only explain or put it in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from passdown.model.evidence import Result

_CANNOT_RUN = {126, 127}
_SHELL_SIGNAL = range(129, 160)
_PYTEST_BROKEN = {2, 3, 4}
_NO_TESTS = 5
_COUNTING = {"pytest", "py.test", "unittest"}
_NO_REPORT = {"missing": "missing", "older": "older than the run", "unreadable": "unreadable"}


class Report(Struct, frozen=True):
    """The declared report after the run: ``state`` and, where it was read, what it says.

    ``findings``: level -> number, of a report that lists findings instead of tests. ``broken``: why it says itself
    that the run did not come to its end.
    """

    state: Literal["none", "read", "missing", "older", "unreadable"] = "none"
    tests: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] | None = None
    broken: str = ""


class Ran(Struct, frozen=True):
    """How a run ended. ``code``: negative for a signal. ``why``: "" or what ended or prevented it.

    ``shell``: a shell ran it, so 128 + n means signal n. ``tool``: the program whose code this is.
    ``tests``: numbers that the output printed, ``nothing_ran``: it says that no test ran.
    ``changed``: inputs changed while it ran. ``flaky``: tests that passed only when tried again. ``absent``: the
    program that is not here, where that is all that was said. ``broken``: why the output says itself that the run did
    not come to its end.
    """

    code: int | None
    why: str = ""
    shell: bool = False
    tool: str = ""
    tests: Mapping[str, int] = field(default_factory=dict)
    nothing_ran: bool = False
    report: Report = Report()
    changed: bool = False
    flaky: Sequence[str] = ()
    absent: str = ""
    broken: str = ""


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
    if ran.tool in _COUNTING and ran.code == _NO_TESTS:
        return "NOT RUN", "no tests were collected"
    doubt = _doubt(ran)
    if doubt:
        return "INCONCLUSIVE", f"exit code {ran.code}, but {doubt}"
    return _passed(ran) if ran.code == 0 else ("FAILED", "")


def went_wrong(result: Result, exit_code: int | None) -> bool:
    """Whether the exit code said failure, report or no report: what makes an earlier or later pass flaky."""
    return result == "FAILED" or (result == "INCONCLUSIVE" and exit_code not in {0, None})


def _stopped(ran: Ran) -> str:
    """Why the check could not run to its end; "" where it did."""
    exit_code, signal = ending(ran)
    if ran.why:
        return {"timeout": "ended by its time-out", "lost": "the process that ran it was killed"}.get(ran.why, ran.why)
    if ran.absent:
        return f"{ran.absent} is not installed here"
    if signal is not None:
        return f"ended by signal {signal}"
    if exit_code in _CANNOT_RUN:
        return f"exit code {exit_code}: the command could not be run"
    if ran.tool in {"pytest", "py.test"} and exit_code in _PYTEST_BROKEN:
        return f"pytest exit code {exit_code}: it could not run the tests"
    return ""


def _doubt(ran: Ran) -> str:
    """What contradicts the exit code, or leaves it unexplained though a report was declared; "" where nothing does."""
    report = ran.report
    if report.state in _NO_REPORT:
        return f"its report is {_NO_REPORT[report.state]}"
    if ran.code == 0:
        if _failures(report.tests) or (report.findings or {}).get("error") or ran.tests.get("failed"):
            return "failures are listed"
        return report.broken or ran.broken
    if report.state != "read" or report.broken or _failures(report.tests):
        return ""
    return "" if report.findings else "the report lists no failure"


def _passed(ran: Ran) -> tuple[Result, str]:
    """Exit code 0 is a pass only where something ran, and at the first try."""
    if ran.flaky:
        more = f" and {len(ran.flaky) - 1} more" if len(ran.flaky) > 1 else ""
        return "FLAKY", f"passed only when tried again: {ran.flaky[0]}{more}"
    if ran.report.findings is not None:
        return "PASSED", ""
    for tests in (ran.report.tests, ran.tests):
        if not tests.get("passed") and tests.get("skipped"):
            return "SKIPPED", "every test was skipped"
    counted_none = ran.tests.get("passed") == 0 or (ran.report.state == "read" and not ran.report.tests.get("passed"))
    if ran.nothing_ran and not ran.tests and ran.report.state != "read":
        return "NOT RUN", "it says that there was nothing to do"
    return ("NOT RUN", "no test ran") if ran.nothing_ran or counted_none else ("PASSED", "")


def _failures(tests: Mapping[str, int]) -> bool:
    return bool(tests.get("failed") or tests.get("errors"))
