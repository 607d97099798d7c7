"""What the agent stated at the end, against what the record shows."""

from __future__ import annotations

from passdown.agents.facts.claims.judge import claims

__all__ = ["claims"]
