"""What a check's output and report say of its tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from passdown.checks import reports
from passdown.checks.cut_short import cut_short, ignored_error
from passdown.checks.nothing_ran import not_started, nothing_ran
from passdown.checks.reports.summary import Summary
from passdown.model.evidence import CheckDefinition
from passdown.rules.patterns import lazy
from passdown.rules.result import Report

_MODULE = lazy(r"\w+(?:\.\w+)*")
_NO_PROGRAM = 127
_NOT_FOUND = lazy(
    r"(?:^|[:\s])(?:command not found: ([\w./+@-]+)|([\w./+@-]+): (?:command )?not found"
    r"|env: \W?([\w./+@-]+)\W?: No such file or directory)\s*$",
    re.MULTILINE,
)
"""As dash, bash, zsh, busybox and env say it."""
_NO_MODULE = lazy(r"\S*python[\d.]*: No module named ([\w.]+)")
"""All that ``python -m pytest`` prints where pytest is not installed."""


class Reading(Struct, frozen=True):
    """``tests``: numbers; ``failing``: id -> first error line; ``error``: the line that says what went wrong.

    ``flaky``: what passed only when it was tried again. ``absent``: the program that is not here, as the shell or
    Python said. ``broken``: why it says itself that it did not come to its end.
    """

    tests: Mapping[str, int] = field(default_factory=dict)
    failing: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None
    nothing_ran: bool = False
    flaky: Sequence[str] = ()
    absent: str = ""
    broken: str = ""


def read_output(text: str, definition: CheckDefinition, *, whole: bool = True, code: int | None = None) -> Reading:
    """Of the output's end (plain text); numbers are a test run's alone.

    ``whole``: nothing of it was cut. ``code``: what it ended with; what passed needs no error line.
    """
    absent = _absent(text, code)
    if absent:
        return Reading(absent=absent)
    if code == 0 and not_started(text, definition.run, definition.kind):
        return Reading(nothing_ran=True)
    error = _error(text) if code != 0 else None
    if definition.kind != "test":
        nothing = code == 0 and nothing_ran(text, definition.kind)
        return Reading(error=error, nothing_ran=nothing, broken=ignored_error(text) if code == 0 else "")
    return _tests(text, error, definition.run, whole=whole, code=code)


def _absent(text: str, code: int | None) -> str:
    """The program that could not be started; "" where nothing says so in so many words."""
    if code == _NO_PROGRAM:
        found = _NOT_FOUND.search(text)
    else:
        found = _NO_MODULE.fullmatch(text.strip()) if code == 1 else None
    return next(filter(None, found.groups()), "") if found else ""


def _error(text: str) -> str | None:
    from passdown.agents.facts.output.errors import first_error  # noqa: PLC0415 - not what passes

    return first_error(text) or None


def _tests(text: str, error: str | None, run: str | list[str], *, whole: bool, code: int | None) -> Reading:
    from passdown.agents.facts.output.counts import counts  # noqa: PLC0415 - tests alone
    from passdown.agents.facts.output.failing import failing  # noqa: PLC0415 - tests alone
    from passdown.checks.reports.console import flaky  # noqa: PLC0415 - tests alone

    machine = reports.read_output(text) if whole else None
    if machine is not None:
        first = next((line for line in machine.failing.values() if line), None)
        none = not machine.tests and machine.findings is None
        return Reading(machine.tests, machine.failing, first or error, none, flaky=machine.flaky, broken=machine.broken)
    found = counts(text)
    values = {} if found is None else {n: getattr(found, n) for n in ("passed", "failed", "skipped", "errors")}
    numbers = {name: value for name, value in values.items() if value is not None}
    nothing = not numbers.get("passed") and nothing_ran(text, "test")
    named = failing(text) if code != 0 or numbers.get("failed") or numbers.get("errors") else {}
    broken = ignored_error(text) or cut_short(text, run) if code == 0 else ""
    return Reading(numbers, named, error, nothing, flaky(text) if found else (), broken=broken)


def read_report(path: Path, before: reports.Stamp | None, named: str | None, begun: int) -> tuple[Report, Summary]:
    """The declared report; one that the run did not write is no report of it.

    ``begun``: when the run began, in nanoseconds by the clock of the file system.
    """
    now = reports.stamp(path)
    if now is None or not path.is_file():
        return Report("missing"), Summary()
    if now == before or now[2] < begun:
        return Report("older"), Summary()
    try:
        summary = reports.read(path, named)
    except OSError:
        summary = None
    if summary is None:
        return Report("unreadable"), Summary()
    return Report("read", summary.tests, summary.findings, summary.broken), summary


def merged(root: Path, printed: Mapping[str, str], reported: Mapping[str, str]) -> dict[str, str]:
    """Failing tests of both, each once under the name that the runner takes (``tests/test_a.py::test_b``)."""
    found = dict(printed)
    short = {_plain(name): name for name in found}
    for name, error in reported.items():
        plain = _plain(name)
        known = short.get(plain) or next((full for one, full in short.items() if _ends(one, plain)), None)
        if known is None:
            found[_node(root, name)] = error
        elif not found[known]:
            found[known] = error
    return found


def _plain(name: str) -> str:
    return name.replace(".py::", "::").replace("::", ".").replace("/", ".")


def _ends(one: str, other: str) -> bool:
    """Whether one is the other with a package before it."""
    return one.endswith(f".{other}") or other.endswith(f".{one}")


def _node(root: Path, name: str) -> str:
    """The id that pytest takes for ``tests.test_a.TestB::test_c``; any other name as it is."""
    module, found, test = name.partition("::")
    if not found or not _MODULE.fullmatch(module) or module.endswith(".py"):
        return name
    parts = module.split(".")
    for cut in range(len(parts), 0, -1):
        path = f"{'/'.join(parts[:cut])}.py"
        if (root / path).is_file():
            return "::".join([path, *parts[cut:], test])
    return name
