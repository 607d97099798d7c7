"""Coding agents: one folder each, which alone knows that agent's files and formats."""
