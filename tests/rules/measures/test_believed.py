"""Whole tasks that another clone invents change no number; of a clone that somebody vouched for they count."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passdown.model.event import Closed, Verdict
from passdown.rules.measures.believed import believed
from passdown.rules.measures.window import Window
from passdown.rules.trust import Trust
from support.bench import histories

NOW, disagreements, history = histories.NOW, histories.disagreements, histories.history

ALL = Window(None, NOW.timestamp())


def foreign(seed: int, tasks: int = 40) -> list:
    """A whole history as another clone tells it, under ids of its own."""
    made = history(tasks, seed).records
    return [replace(one, id=f"f{one.id[1:]}", task=f"f{one.task[1:]}", here=False, writer="mallory") for one in made]


@pytest.mark.parametrize("trust", [None, Trust(own="w"), Trust(own="w", vouched=frozenset({"somebody else"}))])
@pytest.mark.parametrize("seed", [1, 2])
def test_invented_tasks_count_for_nothing_and_are_named(trust: Trust | None, seed: int):
    made = history(60, seed)
    invented = foreign(seed + 10)
    known = believed([*made.records, *invented], trust)
    made.records = known.records
    assert list(disagreements(made, ALL)) == []
    assert known.apart == {record.task: "mallory" for record in invented}


def test_words_of_another_clone_about_our_tasks_count_for_nothing():
    made = history(60, 3)
    lies = [
        replace(
            record, id=f"f{record.id[1:]}", here=False, writer="mallory", body=replace(record.body, outcome="completed")
        )
        for record in made.records
        if isinstance(record.body, Closed)
    ]
    assert lies
    known = believed([*made.records, *lies], Trust(own="w"))
    made.records = known.records
    assert list(disagreements(made, ALL)) == []
    assert known.apart == {}


def test_a_clone_that_somebody_vouched_for_counts():
    made = history(60, 4)
    theirs = [replace(record, here=False) if record.writer == "w-bob" else record for record in made.records]
    made.records = believed(theirs, Trust(own="w-ada", vouched=frozenset({"w-bob"}))).records
    assert list(disagreements(made, ALL)) == []


@pytest.mark.parametrize(("sealed", "signer", "counts"), [(True, "@ada", 1), (True, None, 0), (False, "@ada", 0)])
def test_an_answer_counts_wherever_a_listed_person_signed_it(sealed: bool, signer: str | None, counts: int):
    verdict = next(r for r in history(60, 4).records if isinstance(r.body, Verdict))
    trust = Trust(own="w", sealed=lambda _: sealed, signer=lambda _id, _at: signer)
    assert len(believed([replace(verdict, here=False, writer="m")], trust).records) == counts
