from __future__ import annotations

from types import SimpleNamespace

import pytest

from passdown.model.policy import Policy
from passdown.rules.review import SURE, falls_short, idle_settings


@pytest.mark.parametrize("asked", SURE)
@pytest.mark.parametrize("given", SURE)
def test_an_answer_is_as_sure_as_is_asked_or_does_not_count(asked, given):
    policy = Policy(review_required=True, review_presence=asked)
    counts = SURE.index(given) >= SURE.index(asked)
    assert (falls_short(policy, SimpleNamespace(presence=given), by_runner=True) is None) == counts


@pytest.mark.parametrize(
    ("required", "independent", "by_runner", "counts"),
    [(True, True, True, False), (True, True, False, True), (True, False, True, True), (False, True, True, True)],
)
def test_independent_means_somebody_else(required, independent, by_runner, counts):
    policy = Policy(review_required=required, review_independent=independent)
    assert (falls_short(policy, SimpleNamespace(presence="unproven"), by_runner=by_runner) is None) == counts


@pytest.mark.parametrize(
    ("policy", "idle"),
    [
        (Policy(), []),
        (Policy(review_presence="fido"), ["review.presence"]),
        (Policy(review_independent=True), ["review.independent"]),
        (Policy(review_presence="fido", review_independent=True), ["review.presence", "review.independent"]),
        (Policy(review_required=True, review_presence="fido", review_independent=True), []),
        (Policy(mode="team", review_independent=True), []),
    ],
)
def test_what_decides_nothing_is_told(policy, idle):
    assert idle_settings(policy) == idle
