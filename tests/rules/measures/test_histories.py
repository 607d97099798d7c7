"""The measures on generated histories equal what was planted, whatever the order in which the record arrives."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passdown.rules.measures.window import Window
from support.bench import histories

NOW = histories.NOW.timestamp()
DAY = 86400.0


@given(seed=st.integers(0, 10**6), days=st.sampled_from([None, 1, 7, 30, 90]), agent=st.sampled_from([None, "codex"]))
@settings(max_examples=25, deadline=None)
def test_every_measure_is_what_was_planted(seed, days, agent):
    made = histories.history(60, seed)
    window = Window(None if days is None else NOW - days * DAY, NOW)
    assert list(histories.disagreements(made, window, agent)) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_neither_order_nor_repetition_changes_a_number(seed):
    made = histories.history(80, seed)
    dice = random.Random(seed)
    for events in (made.records, made.touches):
        events.extend(dice.sample(events, len(events) // 2))
        dice.shuffle(events)
    for days in (7, 30, 120):
        assert list(histories.disagreements(made, Window(NOW - days * DAY, NOW))) == []


def test_what_does_not_verify_counts_for_nothing():
    made = histories.history(40, 5)
    forged = histories.history(40, 6).records
    made.records += [msgspec.structs.replace(record, trusted=False) for record in forged]
    assert list(histories.disagreements(made, Window(None, NOW))) == []


def test_the_generator_plants_something_of_everything():
    made = histories.history(300, 7)
    truth = made.truth(Window(None, NOW), NOW)
    assert all(numerator > 0 for numerator, _ in truth.values())
    assert any(run.attempted and not run.landed for run in made.runs)
    assert any(run.reopened for run in made.runs)
    assert any(run.ended is None for run in made.runs)


@pytest.mark.torture
@pytest.mark.parametrize("mixed", [False, True], ids=["as written", "in any order, half of it twice"])
def test_ten_thousand_tasks(mixed):
    made = histories.history(10_000, 11)
    assert len({record.writer for record in made.records}) == len(histories.WRITERS)
    dice = random.Random(11)
    for events in (made.records, made.touches) if mixed else ():
        events.extend(dice.sample(events, len(events) // 2))
        dice.shuffle(events)
    for days in (None, 30, 90):
        window = Window(None if days is None else NOW - days * DAY, NOW)
        assert list(histories.disagreements(made, window)) == []
