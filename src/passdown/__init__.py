"""Passdown: handoffs between coding-agent runs that cannot lie, and next runs that cannot wander."""

__version__ = "0.1.0"
