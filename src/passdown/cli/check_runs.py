"""The runs that `passdown check` makes, and how it tells what came out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from passdown.cli.check_screen import remarks, row, stands
from passdown.cli.output import aside, at_terminal, plain, print_json, say
from passdown.cli.progress import about
from passdown.cli.rerun import ask_base, run_and_record
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED
from passdown.model.evidence import Evidence
from passdown.rules.origin import failing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.checks.known import Known
    from passdown.cli.context import Context
    from passdown.model.event import Compared
    from passdown.model.evidence import CheckDefinition


class How(msgspec.Struct, frozen=True):
    """How often, on a frozen copy or not, in which folder; ``base``: ask the base about what fails."""

    repeat: int = 1
    isolated: bool = False
    base: bool = True
    cwd: str = "."


class Ran(msgspec.Struct, frozen=True):
    """One check's runs; ``flaky``: a pass and a fail on exactly this code, now or before."""

    known: Known | None
    runs: list[Evidence]
    flaky: bool = False
    there: Compared | None = None

    @property
    def shown(self) -> Evidence:
        """The run that says most: the last that did not pass, else the last."""
        return next((one for one in reversed(self.runs) if one.result != "PASSED"), self.runs[-1])


def run_all(context: Context, known: Known | None, definition: CheckDefinition, how: How, number: str = "") -> Ran:
    """Run it, record each run, and compare a failure with the base."""
    runs = []
    for count in range(how.repeat):
        _announce(context, definition, number, f"run {count + 1} of {how.repeat}, " if how.repeat > 1 else "")
        runs.append(run_and_record(context, definition, quiet=False, cwd=how.cwd, isolated=how.isolated))
    ran = Ran(known, runs, flaky=_flaky(context, runs))
    failed = ran.shown
    if not how.base or not failing(failed):
        return ran
    return msgspec.structs.replace(ran, there=ask_base(context, definition, failed))


def _announce(context: Context, definition: CheckDefinition, number: str, again: str) -> None:
    """At a terminal: what begins now, and how long it took last time."""
    if not at_terminal():
        return
    ran = (record.body for record in context.recorder.records(type="evidence"))
    last = [body.seconds for body in ran if isinstance(body, Evidence) and body.check == definition.name]
    facts = f"{number}{again}{about(last[-1] if last else None)}".rstrip(", ")
    if facts:
        aside(f"running {plain(definition.name)}   ({facts})")


def _flaky(context: Context, done: Sequence[Evidence]) -> bool:
    """Whether the latest run stands against another on the same code."""
    from passdown.checks.past import flaky, runs

    latest = done[-1]
    name = f"$ {latest.check}" if latest.definition.source == "adhoc" else latest.check
    past = runs(context.recorder.records(type="evidence"), context.trust).get(name, [])
    return bool(past) and flaky(past[-1], past)


def report(ran: Sequence[Ran], *, as_json: bool) -> int:
    """Show all runs; the exit code."""
    if as_json:
        print_json([_document(one, evidence) for one in ran for evidence in one.runs])
    else:
        for one in ran:
            _show(one)
    results = [evidence.result for one in ran for evidence in one.runs]
    if "FAILED" in results:
        return EXIT_DOES_NOT_HOLD
    return 0 if all(result == "PASSED" for result in results) and not any(one.flaky for one in ran) else EXIT_UNDECIDED


def _document(ran: Ran, evidence: Evidence) -> dict[str, Any]:
    """The evidence record, and what is known of it besides."""
    there = ran.there if failing(evidence) else None
    document: dict[str, Any] = msgspec.to_builtins(evidence)
    document |= {"flaky": ran.flaky, "origin": there.origin if there else None}
    document["origins"] = {name: there.tests[name] for name in evidence.failing if name in there.tests} if there else {}
    document["origin_because"] = there.because if there else None
    return document


def _show(ran: Ran) -> None:
    say(row(ran.shown, flaky=ran.flaky))
    for remark in [*_times(ran), *remarks(ran.shown, ran.there), *stands(ran.known)]:
        say(f"{'':<13}{remark}")


def _times(ran: Ran) -> list[str]:
    """How many of several runs passed; what a pass means beside an earlier failure."""
    passed = sum(one.result == "PASSED" for one in ran.runs)
    lines = [f"{passed} of {len(ran.runs)} runs passed"] if len(ran.runs) > 1 else []
    if ran.flaky:
        lines.append(
            "passed and failed on the same code: it counts as flaky, however often it passes, until the code changes"
        )
    return lines
