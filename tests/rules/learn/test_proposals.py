"""From where on a cause is worth an edit, and which edits are never proposed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.learn.misses import Chance, Counted
from passdown.rules.learn.proposals import KINDS, proposals


def cause(kind: str, subject: str, missed: int, of: int, *, tasks: int = 9, about: str = "web") -> Counted:
    chances = [Chance(f"c{n}", f"t{n % tasks}", "2026-01-01T00:00:00Z") for n in range(of)]
    return Counted(kind, subject, chances[:missed], chances, about)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"lifted-hold"}))
def test_a_cause_must_repeat_in_several_tasks_and_often_enough(kind: str) -> None:
    rule = KINDS[kind]
    assert len(proposals([cause(kind, "x", rule.misses, rule.misses)])) == 1
    assert proposals([cause(kind, "x", rule.misses - 1, rule.misses)]) == []
    assert proposals([cause(kind, "x", 30, 30, tasks=1)]) == []
    if rule.share:
        assert proposals([cause(kind, "x", rule.misses, int(rule.misses / rule.share) + 30)]) == []


@pytest.mark.parametrize(
    ("code", "proposed"),
    [("too-old", True), ("scope-widened", True), ("integrity-broken", False), ("tree-drift", False),
     ("held-by-person", False), ("tests-weakened", False), ("review-missing", False), ("guard-dead", False)],
)  # fmt: skip
def test_what_holds_always_is_not_talked_out_of_it(code: str, proposed: bool) -> None:
    assert bool(proposals([cause("lifted-hold", code, 9, 9)])) is proposed


@pytest.mark.parametrize("subject", ["a`b", "a\nb", "<!-- passdown:end -->", "x" * 161, "a\u202eb"])
@pytest.mark.parametrize("kind", ["dead-end", "vain-touch", "stray-path"])
def test_foreign_text_that_would_mark_up_a_line_is_left_out(kind: str, subject: str) -> None:
    assert proposals([cause(kind, subject, 9, 9)]) == []
    assert proposals([cause("dead-end", "pip install", 9, 9, about=subject)]) == []


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=200), st.text(max_size=200))
def test_an_edit_is_one_line(kind: str, subject: str, about: str) -> None:
    for one in proposals([cause(kind, subject, 40, 40, about=about)]):
        assert one.edit.value.isprintable()
        assert "<!--" not in one.edit.value
