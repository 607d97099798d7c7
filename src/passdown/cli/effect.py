"""What an answer changes in the boundary, line by line."""

from __future__ import annotations

from passdown.model.boundary import Boundary, Entry
from passdown.packet.text import place_of


def effect(old: Boundary, new: Boundary) -> list[str]:
    """Before and after in two lines, then what was added, dropped and denied."""
    lines = [f"Before     {_list(old.allow)}", f"After      {_list(new.allow)}"]
    had, has = {e.path for e in old.allow}, {e.path for e in new.allow}
    if had == has:
        lines = [f"Next write {_list(new.allow)}"]
    more = [e for e in new.allow if e.path not in had]
    less = [e for e in old.allow if e.path not in has]
    denied = [e for e in new.deny if e.path not in {d.path for d in old.deny}]
    lines += [f"{label:<11}{_list(entries)}" for label, entries in (("Added", more), ("Dropped", less)) if entries]
    if denied:
        lines.append(f"{'Denied':<11}{_list(denied)}")
    return lines


def _list(entries: list[Entry]) -> str:
    return "  ".join(place_of(e) for e in entries) or "nothing"
