"""A measure's last windows as bars; the table beside it says the same in numbers."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from passdown.rules.measures.measured import Measured
from passdown.rules.measures.numbers import Metric

WIDTH, HEIGHT, GAP = 240.0, 72.0, 4.0


class Bar(Struct, frozen=True):
    """One window: its place and size, its value as text, whether it was measured."""

    x: float
    y: float
    width: float
    height: float
    text: str
    measured: bool


class Chart(Struct, frozen=True):
    """One measure: what is shown of it, and its bars (oldest first; none without a trend)."""

    metric: Metric
    title: str
    value: str
    before: str
    bars: Sequence[Bar]


def charts(measured: Measured, names: dict[str, str], told: dict[str, str], before: dict[str, str]) -> list[Chart]:
    """Each measure; ``names``, ``told`` and ``before`` are the words of the terminal's screen, by its name."""
    return [
        Chart(metric, names[metric.name], told[metric.name], before[metric.name], _bars(measured, metric))
        for metric in measured.now
    ]


def _bars(measured: Measured, metric: Metric) -> list[Bar]:
    points = measured.trend.get(metric.name, [])
    known = [point for point in points if point is not None]
    if not known:
        return []
    top = max(1.0 if metric.unit == "share" else max(known), 1e-9)
    wide = (WIDTH - GAP * (len(points) - 1)) / len(points)
    return [_bar(number, wide, point, top, metric) for number, point in enumerate(points)]


def _bar(number: int, wide: float, point: float | None, top: float, metric: Metric) -> Bar:
    tall = 2.0 if point is None else max(2.0, round(HEIGHT * point / top, 1))
    text = "not measured" if point is None else f"{100 * point:.0f} %" if metric.unit == "share" else f"{point:,.1f}"
    return Bar(round(number * (wide + GAP), 1), round(HEIGHT - tall, 1), round(wide, 1), tall, text, point is not None)
