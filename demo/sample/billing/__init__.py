"""Charging accounts."""
