"""The variables with keys that Codex's settings name."""

from __future__ import annotations

import pytest

from passdown.agents.codex.keys import named_keys

TEXTS = {
    "": [],
    '[model_providers.own]\nenv_key = "OWN_KEY"\n[model_providers.other]\nname = "x"\n': ["OWN_KEY"],
    'model_providers = "x"': [],
    "[model_providers.own]\nenv_key = 3": [],
    "model_providers = {a = 1}": [],
    "not toml [": [],
}


@pytest.mark.parametrize("text", TEXTS)
def test_named_keys(tmp_path, text):
    (tmp_path / "config.toml").write_text(text)
    assert named_keys(tmp_path) == TEXTS[text]
    assert named_keys(tmp_path / "nowhere") == []
