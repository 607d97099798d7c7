"""OpenAI Codex: where its rollouts lie and what their records mean."""

from __future__ import annotations

from passdown.agents.codex.find import find
from passdown.agents.codex.read import read
from passdown.agents.codex.sniff import sniff

name = "codex"

__all__ = ["find", "name", "read", "sniff"]
