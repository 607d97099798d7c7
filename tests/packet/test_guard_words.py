"""Guard layers in plain words."""

from __future__ import annotations

from typing import get_args

import pytest

from passdown.model.packet import Guard, GuardState
from passdown.packet.guard_words import guard_words


@pytest.mark.parametrize("state", get_args(GuardState))
@pytest.mark.parametrize("layer", ["hook", "git hooks", "sandbox", "another"])
def test_every_state_says_what_it_means(layer, state):
    said = guard_words(Guard(layer=layer, state=state, denied=3))
    assert said.endswith("(3 denied)")
    assert "hook dead" not in said
