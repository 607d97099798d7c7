"""The intervals say what they claim: in 95 of 100 cases the truth lies in them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.learn.effect import effect, share_of
from passdown.rules.learn.misses import Chance, Counted

BEFORE, AT, AFTER = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


def cause(before: tuple[int, int], after: tuple[int, int]) -> Counted:
    chances = [Chance(f"b{n}", "t", BEFORE) for n in range(before[1])]
    chances += [Chance(f"a{n}", "t", AFTER) for n in range(after[1])]
    return Counted("k", "s", [*chances[: before[0]], *chances[before[1] : before[1] + after[0]]], chances)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((10, 40), (0, 40), "helped"),
        ((0, 40), (10, 40), "worse"),
        ((10, 40), (8, 40), "not shown"),
        ((10, 40), (0, 3), "not shown"),
        ((3, 3), (0, 0), "not shown"),
        ((0, 0), (3, 3), "not shown"),
    ],
)
def test_an_edit_helped_only_where_chance_does_not_explain_it(before, after, told) -> None:
    found = effect(cause(before, after), AT)
    assert ((found.before.missed, found.before.chances), (found.after.missed, found.after.chances)) == (before, after)
    assert found.told == told


@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_lies_in_its_interval(counts: tuple[int, int]) -> None:
    share = share_of(*counts)
    assert 0 <= share.low <= share.high <= 1
    assert share.chances == 0 or share.low <= share.value <= share.high


def test_the_true_change_lies_in_the_interval() -> None:
    dice, inside, tries = random.Random(3), 0, 2000
    for _ in range(tries):
        rates, sizes = (dice.uniform(0.02, 0.6), dice.uniform(0.02, 0.6)), (dice.randint(15, 80), dice.randint(15, 80))
        missed = [sum(dice.random() < rate for _ in range(size)) for rate, size in zip(rates, sizes, strict=True)]
        found = effect(cause((missed[0], sizes[0]), (missed[1], sizes[1])), AT)
        inside += found.low <= rates[1] - rates[0] <= found.high
    assert inside >= 0.94 * tries
