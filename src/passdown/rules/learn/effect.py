"""Whether an edit helped: the share of misses before and after it, each with what it does not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal

from msgspec import Struct

from passdown.rules.instants import seconds
from passdown.rules.learn.misses import Chance, Counted

_Z = 1.959964
ENOUGH = 20
"""Chances since then, before it is asked whether an edit should go."""
Told = Literal["helped", "worse", "not shown"]


class Share(Struct, frozen=True):
    """So many of so many, with the 95 % interval (Wilson) of the share; of none at all it is 0 to 1."""

    missed: int
    chances: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """From 0 to 1; 0 where there was no chance."""
        return self.missed / self.chances if self.chances else 0.0


class Effect(Struct, frozen=True):
    """Before and after; ``low`` to ``high``: the 95 % interval of the change (Newcombe), negative is fewer misses."""

    before: Share
    after: Share
    low: float
    high: float
    told: Told


def share_of(missed: int, chances: int) -> Share:
    """The share with its Wilson interval."""
    if chances == 0:
        return Share(0, 0, 0.0, 1.0)
    rate, square = missed / chances, _Z * _Z
    middle = (rate + square / (2 * chances)) / (1 + square / chances)
    half = _Z * sqrt(rate * (1 - rate) / chances + square / (4 * chances * chances)) / (1 + square / chances)
    low = 0.0 if missed == 0 else max(0.0, middle - half)
    return Share(missed, chances, low, 1.0 if missed == chances else min(1.0, middle + half))


def effect(cause: Counted, at: str) -> Effect:
    """What changed at the instant ``at``."""
    before = share_of(_count(cause.missed, at, after=False), _count(cause.chances, at, after=False))
    after = share_of(_count(cause.missed, at, after=True), _count(cause.chances, at, after=True))
    change = after.value - before.value
    low = change - sqrt((after.value - after.low) ** 2 + (before.high - before.value) ** 2)
    high = change + sqrt((after.high - after.value) ** 2 + (before.value - before.low) ** 2)
    known = bool(before.chances and after.chances)
    return Effect(
        before, after, low, high, "helped" if known and high < 0 else "worse" if known and low > 0 else "not shown"
    )


def _count(chances: Sequence[Chance], at: str, *, after: bool) -> int:
    when = seconds(at) or 0.0
    return sum(((seconds(chance.at) or 0.0) > when) == after for chance in chances)
