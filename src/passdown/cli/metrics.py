"""``passdown metrics``: the numbers that tell whether handoffs work, from the record."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import click

from passdown.cli.accounts import accounts
from passdown.cli.context import Context
from passdown.cli.histories import collector_resting
from passdown.cli.output import print_json, say
from passdown.errors import PassdownError
from passdown.rules.instants import seconds
from passdown.rules.measures.measured import Measured, measured_now
from passdown.rules.measures.numbers import Metric
from passdown.rules.measures.report import Missing, missing
from passdown.rules.measures.window import Only, last

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from passdown.cli.accounts import Accounts

_SPAN = re.compile(r"(\d{1,5})\s*([dwmy]?)", re.IGNORECASE)
_UNITS = {"": 1, "d": 1, "w": 7, "m": 30, "y": 365}


@click.command(epilog="Example:  passdown metrics --window 90d --agent claude")
@click.option("--window", "span", metavar="SPAN", default="30d", help="30d, 12w, 6m, 1y or all.  [default: 30d]")
@click.option("--agent", metavar="NAME", help="Only runs of this agent.")
@click.option("--owner", metavar="WHO", help="Only runs that this resume owner picked up.")
@click.option("--template", metavar="NAME", help="Only runs from packets of this template.")
@click.option("--repository", metavar="NAME", help="Only runs in this repository.")
@click.option(
    "--missing", "listing", is_flag=True, help="List what could not be counted, and what would make it count."
)
@click.option("--csv", "as_csv", is_flag=True, help="A table for a spreadsheet.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def metrics(  # noqa: PLR0913 -- one parameter an option
    span: str,
    *,
    agent: str | None,
    owner: str | None,
    template: str | None,
    repository: str | None,
    listing: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show what became of resumed runs: completed, strayed, touched in vain, rolled back.

    Counted from the record alone; what was not measured says so and is never a zero. A run counts in the window
    in which it began, a task in that in which it ended.
    """
    context = Context(reads=True)
    days = days_of(span)
    only = Only(agent, owner, template, repository)
    told = accounts(context)
    measured = counted(context, told, only, days)
    if listing:
        window, now = last(days, context.now), seconds(context.now) or 0.0
        _list([*missing(told.found, window, only, now), *_apart(told)], measured.now, as_json=as_json)
        return
    if as_json:
        print_json(document(measured))
    elif as_csv:
        say(_table(measured).rstrip("\r\n"))
    else:
        from passdown.cli.metrics_screen import screen

        for line in screen(measured):
            say(line)


def counted(context: Context, told: Accounts, only: Only, days: float | None) -> Measured:
    """The measures of the last ``days`` (None: of everything)."""
    with collector_resting():
        return measured_now(told.found, only, days, context.now, apart=len(told.apart))


def document(measured: Measured) -> dict[str, object]:
    """What `metrics --json` gives."""
    return {
        "window": {
            "days": measured.days,
            "start": _instant(measured.window.start),
            "end": _instant(measured.window.end),
            "resumed_runs": measured.runs,
        },
        "tasks_of_others": measured.apart,
        "metrics": [_entry(measured, metric) for metric in measured.now],
    }


def _entry(measured: Measured, metric: Metric) -> dict[str, object]:
    names = ("name", "value", "numerator", "denominator", "measured", "unit", "parts", "left_out")
    entry: dict[str, object] = {name: getattr(metric, name) for name in names}
    before = measured.before.get(metric.name)
    entry["before"] = before.value if before is not None else None
    entry["trend"] = measured.trend.get(metric.name, [])
    return entry


def _instant(when: float | None) -> str | None:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(when, UTC).isoformat().replace("+00:00", "Z") if when is not None else None


def _table(measured: Measured) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("name", "value", "numerator", "denominator", "unit", "measured", "before"))
    for metric in measured.now:
        before = measured.before.get(metric.name)
        row = (metric.name, metric.value, metric.numerator, metric.denominator, metric.unit, metric.measured)
        writer.writerow([*row, before.value if before is not None else None])
    return out.getvalue()


def _apart(told: Accounts) -> Iterator[Missing]:
    """The tasks of clones that nobody vouched for."""
    for task, writer in sorted(told.apart.items()):
        fix = "once somebody whom the base lists vouches for that clone: passdown attest --writer"
        yield Missing("told by another clone alone, and not believed", task, f"writer {writer[:12]}", fix)


def _list(found: Sequence[Missing], metrics: Sequence[Metric], *, as_json: bool) -> None:
    from passdown.cli.metrics_screen import not_measured

    unmeasured = list(not_measured(metrics))
    if as_json:
        names = [metric.name for metric in metrics if not metric.measured]
        print_json({"missing": found, "not_measured": names})
        return
    if not found and not unmeasured:
        say("Nothing is left out: all that the measures speak of was counted.")
    by_what: dict[str, list[Missing]] = {}
    for one in found:
        by_what.setdefault(one.what, []).append(one)
    for what, ones in by_what.items():
        say(f"{what}: {len(ones):,}   ({ones[0].fix})")
        for one in ones[:20]:
            say(f"  {one.task[:7]}  {one.name}")
        if len(ones) > 20:  # noqa: PLR2004 -- as above
            say(f"  ... and {len(ones) - 20:,} more: passdown metrics --missing --json")
    for line in unmeasured:
        say(line)


def days_of(span: str) -> float | None:
    """The span in days; None: everything."""
    if span.strip().lower() == "all":
        return None
    told = _SPAN.fullmatch(span.strip())
    if told is None or int(told[1]) == 0:
        raise PassdownError(f"--window {span}: not a stretch of time", "30d, 12w, 6m, 1y or all")
    return float(int(told[1]) * _UNITS[told[2].lower()])
