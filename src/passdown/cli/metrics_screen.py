"""The numbers as one screen: what, how many of how many, the share, and what it was before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from passdown.rules.amount import amount

if TYPE_CHECKING:
    from passdown.rules.measures.measured import Measured
    from passdown.rules.measures.numbers import Metric

_BARS = "▁▂▃▄▅▆▇█"
_FIRST = ("resumed-tasks-completed", "reopened-scope-incidents", "unnecessary-file-touches", "rollback-rate")
NAMES = {
    "resumed-tasks-completed": "resumed tasks completed",
    "reopened-scope-incidents": "reopened scope",
    "unnecessary-file-touches": "unnecessary file touches",
    "rollback-rate": "rolled back within 14 days",
    "redundant-check-runs": "checks run though known",
    "unsupported-claims-per-packet": "claims without proof",
    "holds-found-right": "holds a person found right",
    "time-to-decide": "time to decide",
    "time-to-first-edit": "time to the first edit",
    "false-denials": "false denials",
    "first-try-readbacks": "read back right at once",
}
_NONE = {
    "resumed-tasks-completed": "no task with a resumed run has ended yet",
    "reopened-scope-incidents": "no resumed run yet",
    "unnecessary-file-touches": "no resumed run changed a file",
    "rollback-rate": "no resumed run is old enough",
    "redundant-check-runs": "no check ran",
    "unsupported-claims-per-packet": "no packet",
    "holds-found-right": "no hold that a person answered",
    "time-to-decide": "no packet with a verdict",
    "time-to-first-edit": "no write that a hook saw",
    "false-denials": "no write that a hook judged",
    "first-try-readbacks": "no read-back",
}
"""Why nothing of it could be counted in a window."""
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


def screen(measured: Measured) -> Iterator[str]:
    """The lines, from the heading to what is not measured."""
    head = heading(measured)
    if not any(metric.measured for metric in measured.now):
        yield head
        yield "A run counts once it began with: passdown resume"
        return
    trend = "trend" if any(_points(measured, metric) for metric in measured.now) else ""
    yield f"{head:<42}{'now':>13}{'before':>10}   {trend}".rstrip()
    for metric in measured.now:
        if metric.measured:
            yield _line(measured, metric)
            yield from _parts(metric)
    yield from not_measured(measured.now)
    left = {what: number for metric in measured.now for what, number in metric.left_out.items()}
    if measured.apart:
        left["told by other clones alone"] = measured.apart
    if left:
        told = ", ".join(f"{number:,} {what}" for what, number in left.items())
        yield f"not counted: {told}   (passdown metrics --missing)"


def not_measured(metrics: Sequence[Metric]) -> Iterator[str]:
    """A line for each measure of which nothing could be counted, and why not."""
    for metric in metrics:
        if not metric.measured:
            yield f"not measured: {NAMES[metric.name]} ({_NONE[metric.name]})"


def heading(measured: Measured) -> str:
    """What was looked at: ``Last 30 days, 41 resumed runs, 36 tasks ended``."""
    span = "All the record" if measured.days is None else f"Last {measured.days:g} days"
    if not measured.runs and not measured.ended:
        return f"{span}: no resumed run yet"
    return f"{span}, {amount(measured.runs, 'resumed run')}, {amount(measured.ended, 'task')} ended"


def _line(measured: Measured, metric: Metric) -> str:
    before = measured.before.get(metric.name)
    was = value(before) if before is not None and before.measured else "-"
    bars = _points(measured, metric)
    counted = f"{metric.numerator:,.0f} / {metric.denominator:,}" if metric.unit != "seconds" else "median"
    return f"{NAMES[metric.name]:<30}{counted:>15}{value(metric):>10}{was:>10}   {bars}".rstrip()


def _parts(metric: Metric) -> Iterator[str]:
    """What the numerator of one of the first four is made of."""
    told = {what: number for what, number in metric.parts.items() if number}
    if metric.name in _FIRST and told and metric.name != "rollback-rate":
        yield f"  {', '.join(f'{what} {number:,}' for what, number in told.items())}"


def _points(measured: Measured, metric: Metric) -> str:
    """The last windows as bars of one character, the newest last; a dot where nothing was measured."""
    points = measured.trend.get(metric.name, [])
    known = [point for point in points if point is not None]
    if len(known) < 2:  # noqa: PLR2004 -- one point is no trend
        return ""
    top = max(known) if metric.unit != "share" else 1.0
    return "".join("." if point is None else _BARS[min(7, int(8 * point / top)) if top else 0] for point in points)


def value(metric: Metric) -> str:
    """The number with its unit."""
    if metric.value is None:
        return "-"
    if metric.unit == "seconds":
        return duration(metric.value)
    if metric.unit == "each":
        return f"{metric.value:.1f} each"
    percent = 100 * metric.value
    return f"{percent:.1g} %" if 0 < percent < 1 else f"{percent:.0f} %"


def duration(seconds: float) -> str:
    """``40 s``, ``1 m 40 s``, ``2 h 5 m``, ``3 d 4 h``."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE:.0f} m {seconds % _MINUTE:.0f} s"
    if seconds < _DAY:
        return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} m"
    return f"{seconds // _DAY:.0f} d {seconds % _DAY // _HOUR:.0f} h"
