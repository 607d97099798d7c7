"""Where an agent keeps what it needs to run, and which of it decides what it runs next time."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class AgentState(Struct, frozen=True, kw_only=True):
    """``folder`` below the home unless ``variable`` names another; ``beside``: files of the home, as they begin.

    ``settings`` (files) and ``parts`` (folders) steer later runs: hooks, commands, instructions, programs. ``empty``
    is what a settings file says when it says nothing, so that one can stand in its place; None: leave it missing.
    """

    program: str
    folder: str
    variable: str
    beside: dict[str, str] = {}
    settings: dict[str, str | None]
    parts: tuple[str, ...]
    keys: tuple[str, ...]

    def at(self, env: Mapping[str, str], home: str) -> str:
        """The folder's path."""
        return env.get(self.variable) or f"{home}/{self.folder}"
