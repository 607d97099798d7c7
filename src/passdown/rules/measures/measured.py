"""One window's measures beside those before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from passdown.rules.measures.account import Account
from passdown.rules.measures.numbers import Metric
from passdown.rules.measures.report import tally
from passdown.rules.measures.window import Only, Window, last

POINTS = 8


class Measured(Struct, frozen=True):
    """One window's measures, those of the window before, and the last windows' values by name (oldest first).

    ``apart``: how many tasks other clones alone tell of, that count for nothing here.
    """

    days: float | None
    window: Window
    runs: int
    ended: int
    now: list[Metric]
    before: dict[str, Metric]
    trend: dict[str, list[float | None]]
    apart: int = 0


def measured_now(found: Mapping[str, Account], only: Only, days: float | None, now: str, *, apart: int = 0) -> Measured:
    """The measures of the last ``days`` (None: of everything) until ``now``."""
    windows = [last(days, now)]
    while days is not None and len(windows) < POINTS and (earlier := windows[-1].before()) is not None:
        windows.append(earlier)
    window = windows[0]
    counted = tally(found, only)
    numbers = [counted.within(stretch, window.end) for stretch in windows]
    return Measured(
        days=days,
        window=window,
        runs=len(counted.runs.within(window)),
        ended=numbers[0][0].denominator,
        now=numbers[0],
        before={metric.name: metric for metric in (numbers[1] if numbers[1:] else ())},
        trend=_trend(numbers) if days is not None else {},
        apart=apart,
    )


def _trend(numbers: Sequence[Sequence[Metric]]) -> dict[str, list[float | None]]:
    """Each measure's values, oldest first; ``numbers`` begin with the newest window."""
    points: dict[str, list[float | None]] = {}
    for metric in (metric for window in reversed(numbers) for metric in window):
        points.setdefault(metric.name, []).append(metric.value)
    return points
