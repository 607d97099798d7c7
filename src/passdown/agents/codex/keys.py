"""The variables with keys that Codex's own settings name: a provider of a person's own."""

from __future__ import annotations

import tomllib
from pathlib import Path


def named_keys(folder: Path) -> list[str]:
    """The names; [] where nothing is set or can be read."""
    try:
        settings = tomllib.loads((folder / "config.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return []
    providers = settings.get("model_providers")
    each = providers.values() if isinstance(providers, dict) else ()
    names = [provider.get("env_key") for provider in each if isinstance(provider, dict)]
    return [name for name in names if isinstance(name, str)]
