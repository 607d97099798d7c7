"""Holding a run to its boundary."""
