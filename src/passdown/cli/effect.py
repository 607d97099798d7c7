"""What an answer changes in the boundary, line by line."""

from __future__ import annotations

from passdown.cli.paint import screen_width
from passdown.model.boundary import Boundary, Entry
from passdown.packet.text import place_of, wrap


def effect(old: Boundary, new: Boundary) -> list[str]:
    """Before and after, then what was added, dropped and denied; as many lines as that needs."""
    had, has = {e.path for e in old.allow}, {e.path for e in new.allow}
    parts = [("Next write", new.allow)] if had == has else [("Before", old.allow), ("After", new.allow)]
    parts += [
        ("Added", [e for e in new.allow if e.path not in had]),
        ("Dropped", [e for e in old.allow if e.path not in has]),
        ("Denied", [e for e in new.deny if e.path not in {d.path for d in old.deny}]),
    ]
    return [line for label, entries in parts for line in _lines(label, entries)]


def _lines(label: str, entries: list[Entry]) -> list[str]:
    if not entries and label in ("Added", "Dropped", "Denied"):
        return []
    return wrap(f"{label:<11}", [place_of(entry) for entry in entries] or ["nothing"], screen_width())
