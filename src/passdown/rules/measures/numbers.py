"""One number of the record with what it was counted from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, field

Unit = Literal["share", "seconds", "each"]


class Metric(Struct, frozen=True, kw_only=True):
    """``value`` is numerator / denominator, of seconds the median; None (``measured`` false) where nothing counts.

    ``parts`` are counts that the numerator is made of, ``left_out`` what could not be counted, by reason.
    """

    name: str
    value: float | None
    numerator: float
    denominator: int
    measured: bool
    unit: Unit = "share"
    parts: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


def share(
    name: str,
    numerator: int,
    denominator: int,
    *,
    parts: dict[str, int] | None = None,
    left_out: dict[str, int] | None = None,
) -> Metric:
    """A share of all, from 0 to 1."""
    return _ratio("share", name, numerator, denominator, parts=parts or {}, left_out=left_out or {})


def each(name: str, numerator: int, denominator: int) -> Metric:
    """How many there are for one of the denominator; it may be more than one."""
    return _ratio("each", name, numerator, denominator, parts={}, left_out={})


def _ratio(
    unit: Unit, name: str, numerator: int, denominator: int, *, parts: dict[str, int], left_out: dict[str, int]
) -> Metric:
    return Metric(
        name=name,
        value=numerator / denominator if denominator else None,
        numerator=numerator,
        denominator=denominator,
        measured=denominator > 0,
        unit=unit,
        parts=parts,
        left_out=left_out,
    )


def median(name: str, seconds: Sequence[float]) -> Metric:
    """The median of durations; numerator: their sum."""
    ordered = sorted(seconds)
    half = len(ordered) // 2
    middle = (ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2) if ordered else None
    return Metric(
        name=name,
        value=middle,
        numerator=sum(ordered),
        denominator=len(ordered),
        measured=bool(ordered),
        unit="seconds",
    )
