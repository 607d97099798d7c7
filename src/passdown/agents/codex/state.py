"""Codex's own folder."""

from __future__ import annotations

from passdown.agents.state import AgentState

STATE = AgentState(
    program="codex",
    folder=".codex",
    variable="CODEX_HOME",
    settings={"config.toml": "", "hooks.json": "{}\n", "AGENTS.md": "", "AGENTS.override.md": None},
    parts=("hooks", "prompts", "skills", "rules", "plugins", "agents", "bin", "packages"),
    keys=("OPENAI_API_KEY", "CODEX_API_KEY"),
)
