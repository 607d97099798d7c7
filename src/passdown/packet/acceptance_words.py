"""What the screens say about the single things that were asked for (semantics: section 12)."""

from __future__ import annotations

from collections.abc import Sequence

from passdown.model.packet import AcceptanceItem
from passdown.packet.text import listed, plain

_WORDS = (("done", "done"), ("not known", "only said or touched"), ("not addressed", "not addressed"))
SHOWN = 12


def of_state(items: Sequence[AcceptanceItem], state: str) -> list[AcceptanceItem]:
    """Those in one state."""
    return [item for item in items if item.state == state]


def counted(items: Sequence[AcceptanceItem]) -> str:
    """``5 of 28 done, 3 only said or touched, 20 not addressed``; "" where nothing was asked for item by item."""
    if not items:
        return ""
    parts = [(len(of_state(items, state)), word) for state, word in _WORDS]
    first = f"{parts[0][0]} of {len(items)} done"
    return ", ".join([first, *(f"{number} {word}" for number, word in parts[1:] if number)])


def named(item: AcceptanceItem) -> str:
    """``A3 docs/guide.md updated``, its text harmless and on one line."""
    return f"{item.id} {plain(item.text)}"


def told(item: AcceptanceItem) -> str:
    """With what is known of it."""
    state = "" if item.state == "not known" else f"{item.state}: "
    return f"{named(item)} ({state}{plain(item.because)})"


def ids(items: Sequence[AcceptanceItem]) -> str:
    """Their ids, the first ones where there are many."""
    return listed([item.id for item in items], SHOWN)
