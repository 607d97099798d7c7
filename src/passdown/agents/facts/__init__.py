"""Normalised stream -> ``SessionFacts``: what one session did, said and left open."""

from __future__ import annotations

from passdown.agents.facts.gather import gather

__all__ = ["gather"]
