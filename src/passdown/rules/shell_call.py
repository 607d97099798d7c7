"""One program of a shell command line."""

from __future__ import annotations

from msgspec import Struct


class Call(Struct, frozen=True):
    """One program of a line. ``words``: unquoted, assignments aside.

    ``vouched``: the line's exit 0 means that this program ended with 0. ``blamed``: a non-zero exit
    means that this one failed. ``quiet``: its output went elsewhere. ``pipe``: the words that follow
    it in its pipeline. ``echoed``: the text that the line prints just before this program's status.
    ``folder``: where a ``cd`` before it went.
    """

    words: tuple[str, ...]
    vouched: bool = True
    blamed: bool = True
    quiet: bool = False
    pipe: tuple[tuple[str, ...], ...] = ()
    echoed: str | None = None
    folder: str | None = None
