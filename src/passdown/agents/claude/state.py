"""Claude Code's own folder."""

from __future__ import annotations

from passdown.agents.state import AgentState

STATE = AgentState(
    program="claude",
    folder=".claude",
    variable="CLAUDE_CONFIG_DIR",
    beside={".claude.json": "{}\n"},
    settings={
        "settings.json": "{}\n",
        "settings.local.json": "{}\n",
        "CLAUDE.md": "",
        "keybindings.json": None,
        "managed-settings.json": None,
    },
    parts=("hooks", "commands", "agents", "skills", "plugins", "output-styles", "rules", "workflows", "local", "bin"),
    keys=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
)
