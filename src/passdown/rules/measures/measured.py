"""One window's measures beside those before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from passdown.rules.instants import seconds
from passdown.rules.measures.numbers import Metric
from passdown.rules.measures.report import measure
from passdown.rules.measures.runs import ResumedRun
from passdown.rules.measures.trail import Trail
from passdown.rules.measures.window import Only, Window, last

POINTS = 8


class Measured(Struct, frozen=True):
    """One window's measures, those of the window before, and the last windows' values by name (oldest first)."""

    days: float | None
    window: Window
    runs: int
    ended: int
    now: list[Metric]
    before: dict[str, Metric]
    trend: dict[str, list[float | None]]


def measured_now(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], only: Only, days: float | None, now: str
) -> Measured:
    """The measures of the last ``days`` (None: of everything) until ``now``."""
    window, end = last(days, now), seconds(now) or 0.0
    earlier = window.before()
    of_before = measure(found, runs, earlier, only, end) if earlier is not None else []
    numbers = measure(found, runs, window, only, end)
    counted = [run for run in only.of(runs) if window.holds(run.began)]
    return Measured(
        days=days,
        window=window,
        runs=len(counted),
        ended=numbers[0].denominator,
        now=numbers,
        before={metric.name: metric for metric in of_before},
        trend=_trend(found, runs, only, window) if days is not None else {},
    )


def _trend(
    found: Mapping[str, Trail], runs: Sequence[ResumedRun], only: Only, window: Window
) -> dict[str, list[float | None]]:
    points: dict[str, list[float | None]] = {}
    stretch: Window | None = window
    for _ in range(POINTS):
        if stretch is None:
            break
        for metric in measure(found, runs, stretch, only, window.end):
            points.setdefault(metric.name, []).insert(0, metric.value)
        stretch = stretch.before()
    return points
