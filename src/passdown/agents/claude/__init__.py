"""Claude Code: where its transcripts lie and what their records mean."""

from __future__ import annotations

from passdown.agents.claude.find import find
from passdown.agents.claude.read import read
from passdown.agents.claude.sniff import sniff

name = "claude"

__all__ = ["find", "name", "read", "sniff"]
