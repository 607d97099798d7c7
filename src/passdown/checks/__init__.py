"""Checks: which there are, running one, and the evidence that it leaves."""
