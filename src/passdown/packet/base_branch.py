"""The base of the work: the branch that it will go into, as it is known here."""

from __future__ import annotations

from msgspec import Struct

from passdown.workspace import history
from passdown.workspace.place import Place


class Base(Struct, frozen=True):
    """``tip``: the base branch's commit now (None: no base branch); ``commit``: its merge base with HEAD.

    ``commit`` is None where that is HEAD itself or there is none: the start of the task's first run stands in.
    """

    tip: str | None
    commit: str | None
    because: str


def base_of(place: Place, configured: str | None) -> Base:
    """Asks git once for all that a packet needs of its base."""
    tip, name = history.base_tip(place, configured)
    if tip is None or place.head is None:
        return Base(tip, None, name if tip is None else "no commit yet")
    commit = history.merge_base(place, tip, place.head)
    if commit is None:
        return Base(tip, None, f"no commit in common with {name}")
    if commit == place.head:
        return Base(tip, None, f"HEAD has nothing over {name}")
    return Base(tip, commit, f"merge base with {name}")
