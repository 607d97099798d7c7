"""Causes planted in generated years among one-off misses: they are named, and nothing else is; effects are as told."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from passdown.rules.instants import seconds
from passdown.rules.learn.effect import effect
from passdown.rules.learn.misses import within
from passdown.rules.learn.proposals import proposals
from support.bench import learning

ALL, MEASURED, YEAR = learning.ALL, learning.MEASURED, learning.YEAR
Cause, Year = learning.Cause, learning.Year
ago, effects, holds, year = learning.ago, learning.effects, learning.holds, learning.year

NAMES = {cause.name for cause in ALL}


def named(made: Year, days: float | None = None) -> set[tuple[str, str]]:
    since = None if days is None else seconds(ago(days))
    return {(one.kind, one.subject) for one in proposals(within(made.causes(), since))}


@pytest.mark.parametrize("seed", range(3))
def test_all_planted_causes_are_named_and_nothing_else(seed: int) -> None:
    assert named(year(seed, ALL)) == NAMES


@pytest.mark.parametrize("seed", range(3))
def test_noise_alone_names_nothing(seed: int) -> None:
    assert named(year(seed, ())) == set()


@pytest.mark.parametrize("cause", ALL, ids=lambda cause: cause.kind)
def test_one_cause_is_named_alone(cause: Cause) -> None:
    assert named(year(11, (cause,))) == {cause.name}


@pytest.mark.parametrize("kind", ["stray-path", "vain-touch", "contradicted-claim"])
def test_a_cause_of_one_agent_is_named_with_it(kind: str) -> None:
    both = (Cause(kind, "with/one", 0.4, agent="codex"), Cause(kind, "with/any", 0.4))
    told = {one.subject: one.agent for one in proposals(year(5, both).causes())}
    assert told == {"with/one": "codex", "with/any": ""}


@pytest.mark.parametrize("kind", ["stray-path", "vain-touch", "contradicted-claim", "lifted-hold"])
def test_a_cause_of_a_period_is_named_while_it_lasts(kind: str) -> None:
    subject = "too-old" if kind == "lifted-hold" else "of/a/time"
    old, new = Cause(kind, subject, 0.5, begin=ago(300), end=ago(200)), Cause(kind, subject, 0.5, begin=ago(60))
    assert named(year(3, (old,)), 90) == set()
    assert named(year(3, (old,))) == {old.name}
    assert named(year(3, (new,)), 90) == {new.name}


def test_the_order_of_records_and_repeats_of_them_change_nothing() -> None:
    made = year(5, ALL)
    mixed = [*made.records, *made.records[:100]]
    random.Random(1).shuffle(mixed)
    again = Year(mixed, made.touches[::-1])
    assert proposals(again.causes()) == proposals(made.causes())


@pytest.mark.parametrize("seed", range(2))
def test_what_stopped_is_measured_as_a_help(seed: int) -> None:
    half = ago(YEAR / 2)
    causes = tuple(Cause(kind, f"s/{kind}", 0.4, 0.0, half) for kind in MEASURED)
    found = {(one.kind, one.subject): one for one in year(seed, causes).causes()}
    assert [effect(found[cause.name], half).told for cause in causes] == ["helped"] * len(MEASURED)


def covered(seeds: int) -> float:
    """In how many of all the true change lies in the interval, and how often one that did nothing is called a help."""
    told = [(cause, found) for seed in range(seeds) for cause, found in effects(seed)]
    idle = [found.told for cause, found in told if cause.later == cause.share]
    assert idle
    assert 1 - idle.count("not shown") / len(idle) <= 0.15
    return sum(holds(cause, found) for cause, found in told) / len(told)


def test_effects_lie_in_their_stated_interval() -> None:
    assert covered(5) >= 0.9


@pytest.mark.torture
def test_effects_lie_in_their_stated_interval_over_many_years() -> None:
    assert covered(100) >= 0.93


def test_who_answers_each_record_is_no_matter() -> None:
    """What several clones wrote counts as what one wrote."""
    made = year(7, ALL)
    made.records = [replace(record, writer="one") for record in made.records]
    assert named(made) == NAMES
