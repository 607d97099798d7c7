"""One entry more in a TOML text: it reads back, and nothing else changed."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.rules.learn.proposals import Edit
from passdown.rules.learn.toml_edit import edited

DENY = Edit("policy", '"x/"', "boundary", "deny", listed=True)
HOLD = Edit("policy", '"watch"', "hold", "too-old")


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("", DENY, '[boundary]\ndeny = ["x/"]\n'),
        ("version = 1", DENY, 'version = 1\n\n[boundary]\ndeny = ["x/"]\n'),
        ("[boundary]\n[hold]\n", DENY, '[boundary]\ndeny = ["x/"]\n[hold]\n'),
        ("[boundary]\ndeny = []\n", DENY, '[boundary]\ndeny = ["x/"]\n'),
        ('[boundary]  # ours\ndeny = ["a", ]\n', DENY, '[boundary]  # ours\ndeny = ["a", "x/"]\n'),
        ('[hold]\ntree-drift = "hold"\n', HOLD, '[hold]\ntoo-old = "watch"\ntree-drift = "hold"\n'),
        ("[hold.limits]\ndays = 3\n", HOLD, '[hold.limits]\ndays = 3\n\n[hold]\ntoo-old = "watch"\n'),
    ],
)
def test_an_entry_goes_where_it_belongs(text: str, edit: Edit, after: str) -> None:
    assert edited(text, edit, name="f") == after
    tomllib.loads(after)


@pytest.mark.parametrize(
    ("text", "edit", "told"),
    [
        ('[boundary]\ndeny = [\n  "a",\n]\n', DENY, "f:2: deny is a list over several lines"),
        ('[boundary]\ndeny = ["a"] # why\n', DENY, "f:2: deny is a list over several lines"),
        ('[hold]\ntoo-old = "hold"\n', HOLD, "f:2: too-old is set already"),
    ],
)
def test_what_cannot_be_put_in_is_left_to_the_person(text: str, edit: Edit, told: str) -> None:
    with pytest.raises(PassdownError, match=told):
        edited(text, edit, name="f")


@given(st.lists(st.sampled_from(["a", "b/", "c*"]), max_size=4), st.booleans())
def test_every_other_value_stays(denied: list[str], more: bool) -> None:
    text = f"mode = 'team'\n[boundary]\ndeny = {denied}\n" + ("[hold]\ntree-drift = 'hold'\n" if more else "")
    before, after = tomllib.loads(text), tomllib.loads(edited(text, DENY, name="f"))
    before["boundary"]["deny"].append("x/")
    assert after == before
